//! The lock of a record: two runs never write to one, and everybody may read it meanwhile.

use std::fs::{File, TryLockError};

/// Locks a file until it is closed.
///
/// # Errors
/// When another run has locked it, or the system's.
#[cfg(not(windows))]
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// Locks a file until it is closed. A lock of Windows keeps others from reading what it covers, and that of the standard library covers the
/// whole file; this one covers a byte that no record has, and is refused where the other one is held.
///
/// # Errors
/// When another run has locked it, or the system's.
#[cfg(windows)]
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
    use windows_sys::Win32::Storage::FileSystem::{
        LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
    };
    use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};

    /// The upper half of the place of the byte: 2^62.
    const PLACE: u32 = 1 << 30;
    let mut place = OVERLAPPED {
        Anonymous: OVERLAPPED_0 {
            Anonymous: OVERLAPPED_0_0 {
                Offset: 0,
                OffsetHigh: PLACE,
            },
        },
        ..OVERLAPPED::default()
    };
    let how = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the file is open, and the structure lives through the call, which does not wait.
    let is_locked = unsafe { LockFileEx(file.as_raw_handle(), how, 0, 1, 0, &raw mut place) } != 0;
    if is_locked {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    let number = error.raw_os_error().map(i32::cast_unsigned);
    if matches!(number, Some(ERROR_LOCK_VIOLATION | ERROR_IO_PENDING)) {
        Err(TryLockError::WouldBlock)
    } else {
        Err(TryLockError::Error(error))
    }
}
