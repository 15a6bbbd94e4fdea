//! Memory available to the program. Linux overcommits memory and kills the program when it is used, so a table that is too
//! large must be refused before it is allocated.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The machine's memory or the limit of the control groups, whichever is smaller, in megabytes; `None` if the system reports
/// neither. Limits of the address space (`ulimit -v`) are not included: they make the allocation fail.
pub fn limit() -> Option<usize> {
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = group_limits(Path::new("/sys/fs/cgroup"), &groups);
    limits.into_iter().chain(physical()).min()
}

/// Physical memory of the machine, in megabytes.
fn physical() -> Option<usize> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

/// Memory limits, in megabytes, of the control groups (versions 1 and 2) listed in `groups`, the text of `/proc/self/cgroup`,
/// and of their parent groups. In a container the path may be that of the host; then the root of the mount counts.
fn group_limits(mount: &Path, groups: &str) -> Vec<usize> {
    let files = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.is_empty() {
            Some((mount.to_owned(), path, "memory.max"))
        } else if controllers.split(',').any(|name| name == "memory") {
            Some((mount.join("memory"), path, "memory.limit_in_bytes"))
        } else {
            None
        }
    });
    let mut limits = Vec::new();
    for (root, path, file) in files {
        let group: PathBuf = root.join(path.trim_start_matches('/'));
        for folder in group.ancestors().take_while(|at| at.starts_with(&root)) {
            // `max` means no limit.
            let bytes = read_to_string(folder.join(file))
                .ok()
                .and_then(|text| text.trim().parse::<u64>().ok());
            limits.extend(bytes.map(|bytes| (bytes >> 20) as usize));
        }
    }
    limits
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, remove_dir_all, write};

    #[test]
    fn the_limits_of_control_groups_are_read() {
        let mount = std::env::temp_dir().join(format!("fauve-groups-{}", std::process::id()));
        for (folder, file, text) in [
            ("a/b", "memory.max", "max\n"),
            ("a", "memory.max", "314572800\n"),
            ("memory", "memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/x", "memory.limit_in_bytes", "104857600\n"),
        ] {
            create_dir_all(mount.join(folder)).expect("a folder");
            write(mount.join(folder).join(file), text).expect("a file");
        }
        assert_eq!(group_limits(&mount, "0::/a/b\n"), [300]);
        let old = group_limits(&mount, "3:cpu:/x\n4:memory,hugetlb:/x\n");
        assert_eq!(old.iter().min(), Some(&100));
        // In a container, the path may be that of the host.
        let outside = group_limits(&mount, "4:memory:/docker/0123\n");
        assert_eq!(outside, [8_796_093_022_207]);
        assert!(group_limits(&mount, "no group at all\n").is_empty());
        remove_dir_all(mount).expect("they can be removed");
    }
}
