//! The numbers of tasks, as Slurm writes them.

/// `tasks`, in rising order, as `1-4,7`.
pub(super) fn listed(tasks: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &task in tasks {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == task => *last = task,
            _ => ranges.push((task, task)),
        }
    }
    let written = ranges.into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    });
    written.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn neighbours_are_ranges() {
        assert_eq!(listed(&[1, 2, 3, 4, 7]), "1-4,7");
        assert_eq!(listed(&[2]), "2");
        assert_eq!(listed(&[1, 3, 5, 6]), "1,3,5-6");
    }
}
