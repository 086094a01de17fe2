//! Models of a bug behind a barrier have the requested shape.

use modelgen::Barrier;

fn occurrences(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn the_shape_is_the_one_asked_for() {
    for (width, length, pipelines) in [(1, 1, 1), (2, 3, 2), (4, 5, 3)] {
        let model = Barrier { width, length, pipelines, buggy: true }.model();
        assert_eq!(occurrences(&model, "transition enter"), pipelines);
        assert_eq!(occurrences(&model, "transition move"), pipelines * (length - 1));
        assert_eq!(occurrences(&model, "transition leave"), pipelines);
        let meet = model.lines().find(|line| line.starts_with("transition meet")).unwrap();
        assert_eq!(meet.split('(').nth(1).unwrap().split_whitespace().count(), width);
        let stages = model.lines().find(|line| line.starts_with("type stage")).unwrap();
        assert_eq!(occurrences(stages, "|"), pipelines * length);
    }
}

#[test]
fn only_the_lock_tells_buggy_ones_from_others() {
    let shape = Barrier { width: 3, length: 2, pipelines: 3, buggy: false };
    let (right, wrong) = (shape.model(), Barrier { buggy: true, ..shape }.model());
    let different = right.lines().zip(wrong.lines()).filter(|(right, wrong)| right != wrong);
    assert_eq!(different.count(), 1);
}

/// Parameters of 0 count as 1: there is always a barrier to pass.
#[test]
fn the_least_shape_is_a_model_too() {
    let least = Barrier { width: 0, length: 0, pipelines: 0, buggy: false };
    assert_eq!(least.model(), Barrier { width: 1, length: 1, pipelines: 1, buggy: false }.model());
}
