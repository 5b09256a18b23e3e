//! Work on parts of a file side by side, its results in order.

use rayon::prelude::*;

/// Parts that are read ahead for each thread.
const EACH: usize = 2;

/// Does `work` on each part that `next` gives, some at a time on the threads there are while the next ones are read, and
/// hands the results to `take` in the order of the parts.
///
/// # Errors
/// The first of `next`, `work` or `take`.
pub(crate) fn in_order<P: Send, R: Send, E: Send>(
    mut next: impl FnMut() -> Result<Option<P>, E> + Send,
    work: impl Fn(P) -> Result<R, E> + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let most = EACH * rayon::current_num_threads();
    let mut read = || -> Result<Vec<P>, E> {
        let mut parts = Vec::with_capacity(most);
        while parts.len() < most
            && let Some(part) = next()?
        {
            parts.push(part);
        }
        Ok(parts)
    };
    let mut parts = read()?;
    while !parts.is_empty() {
        let (following, results) = rayon::join(&mut read, || {
            let results = parts.into_par_iter().map(&work);
            results.collect::<Vec<_>>()
        });
        for result in results {
            take(result?)?;
        }
        parts = following?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn results_come_in_order_and_errors_end_it() {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            let run = |fails_at: Option<usize>| {
                let (mut given, mut taken) = (0, Vec::new());
                let next = || {
                    given += 1;
                    Ok((given <= 50).then_some(given))
                };
                let work = |part: usize| match fails_at {
                    Some(bad) if bad == part => Err(part),
                    _ => Ok(part * part),
                };
                let take = |square| {
                    taken.push(square);
                    Ok(())
                };
                let ended = pool.install(|| in_order(next, work, take));
                (ended, taken)
            };
            let (ended, taken) = run(None);
            assert_eq!(ended, Ok(()));
            assert_eq!(taken, (1..=50).map(|k| k * k).collect::<Vec<_>>());
            let (ended, taken) = run(Some(30));
            assert_eq!(ended, Err(30));
            assert_eq!(taken, (1..30).map(|k| k * k).collect::<Vec<_>>());
        }
    }
}
