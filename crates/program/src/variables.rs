//! Global variables of a program by their addresses: `lock`, `jobs.head`, `slots[3].lock`.

use crate::symbols::Slice;
use addr2line::gimli::{
    self, AttributeValue, DebugInfoOffset, DebuggingInformationEntry, Dwarf, Unit, UnitRef,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// All global variables, with their types.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    by_address: BTreeMap<u64, Variable>,
    types: HashMap<TypeId, Type>,
    /// The addresses of functions that have parameters.
    with_parameters: HashSet<u64>,
}

/// A description in the debug information.
type Entry<'d> = DebuggingInformationEntry<Slice<'d>>;
/// Where the debug information describes a type.
pub(crate) type TypeId = usize;

#[derive(Debug)]
struct Variable {
    name: String,
    of: Option<TypeId>,
}

/// What is needed of a type to name its parts, and to read values.
#[derive(Debug)]
pub(crate) enum Type {
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
    /// A number, a truth value, a letter.
    Scalar {
        size: u64,
        kind: Scalar,
    },
    /// Values with names.
    Enum {
        size: u64,
        names: Vec<(String, i64)>,
    },
    Pointer {
        of: Option<TypeId>,
    },
    /// No parts of interest.
    Whole {
        size: u64,
    },
}

/// How a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Signed,
    Unsigned,
    Truth,
    Letter,
    Float,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) at: u64,
    pub(crate) of: Option<TypeId>,
}

/// Something in memory with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) address: u64,
    pub(crate) of: Option<TypeId>,
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
        let mut function: Option<(isize, u64)> = None;
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let at = place(&unit, entry);
            outer.retain(|(depth, _)| *depth < entry.depth());
            let parent =
                outer.last().filter(|(depth, _)| *depth == entry.depth() - 1).map(|(_, parent)| *parent);
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let start = entry.attr_value(gimli::DW_AT_low_pc);
                    let start = start.and_then(|start| unit.attr_address(start).ok().flatten());
                    function = start.map(|start| (entry.depth(), start));
                }
                gimli::DW_TAG_formal_parameter => {
                    let of = function.filter(|(depth, _)| *depth == entry.depth() - 1);
                    self.with_parameters.extend(of.map(|(_, start)| start));
                }
                gimli::DW_TAG_variable => self.add_variable(unit, entry, at, &mut names),
                gimli::DW_TAG_member => self.add_member(unit, entry, parent),
                gimli::DW_TAG_subrange_type => self.add_dimension(entry, parent),
                gimli::DW_TAG_enumerator => self.add_enumerator(unit, entry, parent),
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

    fn add_enumerator<'d>(
        &mut self,
        unit: UnitRef<'_, Slice<'d>>,
        entry: &Entry<'d>,
        parent: Option<TypeId>,
    ) {
        let Some(Type::Enum { names, .. }) = parent.and_then(|parent| self.types.get_mut(&parent)) else {
            return;
        };
        let value = entry.attr_value(gimli::DW_AT_const_value).and_then(|value| value.sdata_value());
        names.extend(name_of(unit, entry).zip(value));
    }

    /// Whether the function at an address is known to have parameters.
    pub(crate) fn takes_parameters(&self, function: u64) -> bool {
        self.with_parameters.contains(&function)
    }

    /// All global variables, in the order of their addresses.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Located)> {
        self.by_address
            .iter()
            .map(|(address, found)| (found.name.as_str(), Located { address: *address, of: found.of }))
    }

    /// A global variable by its name.
    pub(crate) fn find(&self, name: &str) -> Option<Located> {
        self.all().find(|(known, _)| *known == name).map(|(_, located)| located)
    }

    /// A type without other names and qualifiers; none if it is used as a whole, like a mutex.
    pub(crate) fn resolved(&self, of: Option<TypeId>) -> Option<&Type> {
        let mut found = self.types.get(&of?)?;
        for _ in 0..DEEPEST {
            match found {
                Type::Alias { name: Some(name), .. } if is_opaque(name) => return None,
                Type::Alias { of, .. } => found = self.types.get(&(*of)?)?,
                other => return Some(other),
            }
        }
        None
    }

    /// The value of a name in some enumeration.
    pub(crate) fn enumerator(&self, name: &str) -> Option<i64> {
        self.types.values().find_map(|found| match found {
            Type::Enum { names, .. } => {
                names.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
            }
            _ => None,
        })
    }

    /// The size of a value.
    pub(crate) fn size_of(&self, of: Option<TypeId>) -> Option<u64> {
        self.size(of?, 0)
    }

    /// How a pointer to an address is written: the start of a variable is that variable.
    pub(crate) fn pointer(&self, address: u64) -> Option<String> {
        let whole = self.by_address.get(&address).map(|variable| variable.name.clone());
        whole.or_else(|| self.name(address)).map(|name| format!("&{name}"))
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
            Type::Pointer { .. } => Some(8),
            Type::Struct { size, .. }
            | Type::Whole { size }
            | Type::Scalar { size, .. }
            | Type::Enum { size, .. } => Some(*size),
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
            Type::Whole { .. } | Type::Scalar { .. } | Type::Enum { .. } | Type::Pointer { .. } => {}
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
        gimli::DW_TAG_pointer_type | gimli::DW_TAG_reference_type => Type::Pointer { of: of() },
        gimli::DW_TAG_enumeration_type => Type::Enum { size: size(), names: vec![] },
        gimli::DW_TAG_base_type => scalar(entry, size()),
        gimli::DW_TAG_union_type => Type::Whole { size: size() },
        _ => return None,
    })
}

fn scalar(entry: &Entry<'_>, size: u64) -> Type {
    let kind = match entry.attr_value(gimli::DW_AT_encoding) {
        Some(AttributeValue::Encoding(gimli::DW_ATE_signed)) => Scalar::Signed,
        Some(AttributeValue::Encoding(gimli::DW_ATE_unsigned | gimli::DW_ATE_UTF)) => Scalar::Unsigned,
        Some(AttributeValue::Encoding(gimli::DW_ATE_boolean)) => Scalar::Truth,
        Some(AttributeValue::Encoding(gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char)) => {
            Scalar::Letter
        }
        Some(AttributeValue::Encoding(gimli::DW_ATE_float)) => Scalar::Float,
        _ => return Type::Whole { size },
    };
    Type::Scalar { size, kind }
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
