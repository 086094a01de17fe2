//! Bugs behind a synchronisation barrier: a pattern that is hard for exhaustive search.
//!
//! Processes run through pipelines repeatedly. Only when several of them are at the ends of the right pipelines at
//! the same time can they pass the barrier, once. Behind it they compete for a lock while the pipelines continue.
//! Before the barrier there are about `(pipelines * length + 1) ^ processes` states, and nothing indicates which of
//! them are near it.

/// The parameters of such a model, which determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// The number of processes that must meet at the barrier; at least 1.
    pub width: usize,
    /// The number of stages of each pipeline; at least 1.
    pub length: usize,
    /// The number of pipelines; at least 1.
    pub pipelines: usize,
    /// Whether the lock behind the barrier can be taken twice.
    pub buggy: bool,
}

impl Barrier {
    /// The source text of the model.
    pub fn model(&self) -> String {
        let declarations = format!(
            "type stage = Idle | {}\ntype place = Outside | Trying | Inside\n\n\
             array At[proc] : stage\narray In[proc] : place\nvar Open : bool\nvar Taken : bool\n\n\
             init (i) {{ At[i] = Idle && In[i] = Outside && Open = False && Taken = False }}\n\n\
             unsafe both (i j) {{ In[i] = Inside && In[j] = Inside }}\n",
            self.stages().join(" | ")
        );
        let pipelines: String = (0..self.pipelines.max(1)).map(|pipeline| self.pipeline(pipeline)).collect();
        format!("{declarations}{pipelines}{}{}", self.barrier(), self.behind())
    }

    fn last(&self) -> usize {
        self.length.max(1) - 1
    }

    fn stages(&self) -> Vec<String> {
        let of = |pipeline: usize| (0..=self.last()).map(move |at| stage(pipeline, at));
        (0..self.pipelines.max(1)).flat_map(of).collect()
    }

    /// The transitions of a pipeline: enter, move, leave.
    fn pipeline(&self, pipeline: usize) -> String {
        let step = |name: String, from: &str, to: &str| {
            format!("\ntransition {name} (i)\nrequires {{ At[i] = {from} }}\n{{ At[i] := {to}; }}\n")
        };
        let enter = step(format!("enter{pipeline}"), "Idle", &stage(pipeline, 0));
        let moves: String = (0..self.last())
            .map(|at| step(format!("move{pipeline}_{at}"), &stage(pipeline, at), &stage(pipeline, at + 1)))
            .collect();
        let leave = step(format!("leave{pipeline}"), &stage(pipeline, self.last()), "Idle");
        format!("{enter}{moves}{leave}")
    }

    /// The barrier: its k-th process must be at the end of pipeline k, modulo the number of pipelines.
    fn barrier(&self) -> String {
        let width = self.width.max(1);
        let params: Vec<String> = (0..width).map(|at| format!("p{at}")).collect();
        let ends = params.iter().enumerate().map(|(at, param)| {
            format!(" && At[{param}] = {}", stage(at % self.pipelines.max(1), self.last()))
        });
        format!(
            "\ntransition meet ({})\nrequires {{ Open = False{} }}\n{{ Open := True; }}\n",
            params.join(" "),
            ends.collect::<String>()
        )
    }

    /// The lock behind the barrier, whose test and set are two steps if it is buggy.
    fn behind(&self) -> String {
        let free = if self.buggy { "" } else { " && Taken = False" };
        format!(
            "\ntransition try (i)\nrequires {{ Open = True && In[i] = Outside && Taken = False }}\n\
             {{ In[i] := Trying; }}\n\
             \ntransition take (i)\nrequires {{ In[i] = Trying{free} }}\n\
             {{ In[i] := Inside; Taken := True; }}\n\
             \ntransition give (i)\nrequires {{ In[i] = Inside }}\n\
             {{ In[i] := Outside; Taken := False; }}\n"
        )
    }
}

fn stage(pipeline: usize, at: usize) -> String {
    format!("S{pipeline}_{at}")
}
