//! Global variables of a program by their addresses: `lock`, `jobs.head`, `slots[3].lock`.

use crate::symbols::Slice;
use addr2line::gimli::{
    self, AttributeValue, DebugInfoOffset, DebuggingInformationEntry, Dwarf, Unit, UnitRef,
};
use std::collections::{BTreeMap, HashMap};

/// All global variables, with their types.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    by_address: BTreeMap<u64, Variable>,
    types: HashMap<TypeId, Type>,
}

/// A description in the debug information.
type Entry<'d> = DebuggingInformationEntry<Slice<'d>>;
/// Where the debug information describes a type.
type TypeId = usize;

#[derive(Debug)]
struct Variable {
    name: String,
    of: Option<TypeId>,
}

/// What is needed of a type to name its parts.
#[derive(Debug)]
enum Type {
    /// Another name or a qualifier.
    Alias {
        name: Option<String>,
        of: Option<TypeId>,
    },
    Struct {
        size: u64,
        members: Vec<Member>,
    },
    Array {
        of: Option<TypeId>,
        lengths: Vec<u64>,
    },
    /// No parts of interest.
    Whole {
        size: u64,
    },
}

#[derive(Debug)]
struct Member {
    name: String,
    at: u64,
    of: Option<TypeId>,
}

/// Types nest no deeper, unless the debug information is broken.
const DEEPEST: usize = 64;

impl Variables {
    /// Reads all that can be read.
    pub(crate) fn read(dwarf: &Dwarf<Slice<'_>>) -> Variables {
        let mut variables = Variables::default();
        let mut units = dwarf.units();
        while let Ok(Some(header)) = units.next() {
            if let Ok(unit) = dwarf.unit(header) {
                // A unit that is broken loses names, nothing else.
                let _ = variables.read_unit(unit.unit_ref(dwarf));
            }
        }
        variables
    }

    fn read_unit(&mut self, unit: UnitRef<'_, Slice<'_>>) -> gimli::Result<()> {
        let mut names = HashMap::new();
        // Those that members and dimensions may belong to, with their depths.
        let mut outer: Vec<(isize, TypeId)> = Vec::new();
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let at = place(&unit, entry);
            outer.retain(|(depth, _)| *depth < entry.depth());
            let parent =
                outer.last().filter(|(depth, _)| *depth == entry.depth() - 1).map(|(_, parent)| *parent);
            match entry.tag() {
                gimli::DW_TAG_variable => self.add_variable(unit, entry, at, &mut names),
                gimli::DW_TAG_member => self.add_member(unit, entry, parent),
                gimli::DW_TAG_subrange_type => self.add_dimension(entry, parent),
                tag => {
                    if let Some(found) = read_type(unit, entry, tag) {
                        self.types.insert(at, found);
                        outer.push((entry.depth(), at));
                    }
                }
            }
        }
        Ok(())
    }

    /// A definition may leave its name and type to a declaration before it.
    fn add_variable<'d>(
        &mut self,
        unit: UnitRef<'_, Slice<'d>>,
        entry: &Entry<'d>,
        at: TypeId,
        declared: &mut HashMap<TypeId, (String, Option<TypeId>)>,
    ) {
        let declaration =
            reference(&unit, entry, gimli::DW_AT_specification).and_then(|at| declared.get(&at).cloned());
        let (name, of) = declaration.unzip();
        let Some(name) = name_of(unit, entry).or(name) else { return };
        let of = reference(&unit, entry, gimli::DW_AT_type).or(of.flatten());
        match address(&unit, entry) {
            Some(address) => drop(self.by_address.insert(address, Variable { name, of })),
            None => drop(declared.insert(at, (name, of))),
        }
    }

    fn add_member<'d>(&mut self, unit: UnitRef<'_, Slice<'d>>, entry: &Entry<'d>, parent: Option<TypeId>) {
        let at = entry.attr_value(gimli::DW_AT_data_member_location).and_then(|value| value.udata_value());
        let Some(Type::Struct { members, .. }) = parent.and_then(|parent| self.types.get_mut(&parent)) else {
            return;
        };
        let (Some(at), Some(name)) = (at, name_of(unit, entry)) else { return };
        members.push(Member { name, at, of: reference(&unit, entry, gimli::DW_AT_type) });
    }

    fn add_dimension(&mut self, entry: &Entry<'_>, parent: Option<TypeId>) {
        let Some(Type::Array { lengths, .. }) = parent.and_then(|parent| self.types.get_mut(&parent)) else {
            return;
        };
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        let upper = || number(gimli::DW_AT_upper_bound).and_then(|last| last.checked_add(1));
        lengths.push(number(gimli::DW_AT_count).or_else(upper).unwrap_or(0));
    }

    /// The name of what is at an address.
    pub(crate) fn name(&self, address: u64) -> Option<String> {
        let (start, variable) = self.by_address.range(..=address).next_back()?;
        let within = address - start;
        let size = variable.of.and_then(|of| self.size(of, 0)).unwrap_or(1);
        (within < size.max(1)).then(|| {
            let mut name = variable.name.clone();
            self.descend(&mut name, variable.of, within, 0);
            name
        })
    }

    fn size(&self, of: TypeId, depth: usize) -> Option<u64> {
        match self.types.get(&of).filter(|_| depth < DEEPEST)? {
            Type::Alias { of, .. } => self.size((*of)?, depth + 1),
            Type::Struct { size, .. } | Type::Whole { size } => Some(*size),
            Type::Array { of, lengths } => {
                let one = self.size((*of)?, depth + 1)?;
                lengths.iter().try_fold(one, |size, length| size.checked_mul(*length))
            }
        }
    }

    /// Appends the names of the parts that an address within a variable belongs to.
    fn descend(&self, name: &mut String, of: Option<TypeId>, within: u64, depth: usize) {
        let Some(found) = of.and_then(|of| self.types.get(&of)).filter(|_| depth < DEEPEST) else { return };
        match found {
            Type::Alias { name: Some(alias), .. } if is_opaque(alias) => {}
            Type::Alias { of, .. } => self.descend(name, *of, within, depth + 1),
            Type::Struct { members, .. } => {
                let inside = |member: &&Member| {
                    let size = member.of.and_then(|of| self.size(of, 0)).unwrap_or(1);
                    (member.at..member.at.saturating_add(size.max(1))).contains(&within)
                };
                // Parts of the library's own types say nothing to the user.
                if let Some(member) =
                    members.iter().find(inside).filter(|member| !member.name.starts_with('_'))
                {
                    name.push_str(&format!(".{}", member.name));
                    self.descend(name, member.of, within - member.at, depth + 1);
                }
            }
            Type::Array { of, lengths } => {
                let Some(one) = of.and_then(|of| self.size(of, 0)).filter(|one| *one > 0) else { return };
                let mut index = within / one;
                let mut indices = Vec::new();
                for length in lengths.iter().rev() {
                    indices.push(index % (*length).max(1));
                    index /= (*length).max(1);
                }
                indices.iter().rev().for_each(|index| name.push_str(&format!("[{index}]")));
                self.descend(name, *of, within % one, depth + 1);
            }
            Type::Whole { .. } => {}
        }
    }
}

/// Types that programs use as a whole.
fn is_opaque(name: &str) -> bool {
    name.starts_with("pthread_") || ["sem_t", "mtx_t", "cnd_t", "once_flag"].contains(&name)
}

fn read_type<'d>(unit: UnitRef<'_, Slice<'d>>, entry: &Entry<'d>, tag: gimli::DwTag) -> Option<Type> {
    let of = || reference(&unit, entry, gimli::DW_AT_type);
    let size = || entry.attr_value(gimli::DW_AT_byte_size).and_then(|size| size.udata_value()).unwrap_or(0);
    Some(match tag {
        gimli::DW_TAG_typedef => Type::Alias { name: name_of(unit, entry), of: of() },
        gimli::DW_TAG_const_type | gimli::DW_TAG_volatile_type | gimli::DW_TAG_atomic_type => {
            Type::Alias { name: None, of: of() }
        }
        gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
            Type::Struct { size: size(), members: vec![] }
        }
        gimli::DW_TAG_array_type => Type::Array { of: of(), lengths: vec![] },
        gimli::DW_TAG_pointer_type => Type::Whole { size: 8 },
        gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type | gimli::DW_TAG_union_type => {
            Type::Whole { size: size() }
        }
        _ => return None,
    })
}

fn name_of<'d>(unit: UnitRef<'_, Slice<'d>>, entry: &Entry<'d>) -> Option<String> {
    let name = unit.attr_string(entry.attr_value(gimli::DW_AT_name)?).ok()?;
    Some(String::from_utf8_lossy(name.slice()).into_owned())
}

/// Where an entry is, among those of all units.
fn place<'d>(unit: &Unit<Slice<'d>>, entry: &Entry<'d>) -> TypeId {
    entry.offset().to_unit_section_offset(unit).0
}

fn reference<'d>(unit: &Unit<Slice<'d>>, entry: &Entry<'d>, name: gimli::DwAt) -> Option<TypeId> {
    match entry.attr_value(name)? {
        AttributeValue::UnitRef(offset) => Some(offset.to_unit_section_offset(unit).0),
        AttributeValue::DebugInfoRef(DebugInfoOffset(at)) => Some(at),
        _ => None,
    }
}

/// The address of a variable that has one for the whole run.
fn address<'d>(unit: &Unit<Slice<'d>>, entry: &Entry<'d>) -> Option<u64> {
    let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else { return None };
    let mut operations = expression.operations(unit.encoding());
    match (operations.next().ok()??, operations.next().ok()?) {
        (gimli::Operation::Address { address }, None) => Some(address),
        _ => None,
    }
}
