//! A process of Windows with everything that it starts, as a job object: the counterpart of a process group. The job ends with its last
//! handle, and that is ours: whatever becomes of this program, nothing that it has started survives it.
//!
//! Windows has these functions for C only, so that they are called as such here, and nowhere else in this crate.

use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use windows_sys::Win32::Foundation::{INVALID_HANDLE_VALUE, WAIT_TIMEOUT};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, OpenThread, ResumeThread, THREAD_SUSPEND_RESUME,
    WaitForSingleObject,
};

/// What a process that was killed reports as its status.
const KILLED: u32 = 1;

/// A process and its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Job {
    job: OwnedHandle,
    leader: OwnedHandle,
}

impl Job {
    /// Starts a command as the leader of a job. Ctrl-C on the console reaches neither it nor its descendants.
    ///
    /// # Errors
    /// When the system cannot start it, or cannot put it into a job; nothing runs then.
    pub fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
        let job = create()?;
        // It stands still until it is in the job, so that it can start nothing outside.
        let mut child = command
            .creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP)
            .spawn()?;
        match admit(&job, &child) {
            Ok(leader) => Ok((child, Self { job, leader })),
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Kills all of its processes.
    pub fn kill(&self) {
        // SAFETY: the handle is that of a job, and is open as long as `self` lives.
        unsafe { TerminateJobObject(self.job.as_raw_handle(), KILLED) };
    }

    /// Whether its leader has not ended yet.
    pub fn is_alive(&self) -> bool {
        // SAFETY: the handle is that of a process, and is open as long as `self` lives.
        unsafe { WaitForSingleObject(self.leader.as_raw_handle(), 0) == WAIT_TIMEOUT }
    }
}

/// A job that is killed when its last handle is closed.
fn create() -> io::Result<OwnedHandle> {
    // SAFETY: both pointers may be null: the usual attributes, and no name.
    let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
    if job.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was just made, and belongs to nobody else.
    let job = unsafe { OwnedHandle::from_raw_handle(job) };
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    // SAFETY: the structure is the one that belongs to this class of information, and lives through the call.
    let is_set = unsafe {
        SetInformationJobObject(
            job.as_raw_handle(),
            JobObjectExtendedLimitInformation,
            std::ptr::from_ref(&limits).cast(),
            size_of_val(&limits) as u32,
        )
    };
    check(is_set)?;
    Ok(job)
}

/// Puts a process that stands still into a job, and lets it run. Gives a handle of its own to it.
fn admit(job: &OwnedHandle, child: &Child) -> io::Result<OwnedHandle> {
    let leader = child.as_handle().try_clone_to_owned()?;
    // SAFETY: both handles are open.
    check(unsafe { AssignProcessToJobObject(job.as_raw_handle(), leader.as_raw_handle()) })?;
    resume(child.id())?;
    Ok(leader)
}

/// Lets the threads of a process run. The standard library keeps the handle of the first thread to itself, so that it is looked for.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: the call takes numbers only.
    let threads = unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) };
    if threads == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was just made, and belongs to nobody else.
    let threads = unsafe { OwnedHandle::from_raw_handle(threads) };
    let mut entry = THREADENTRY32 {
        dwSize: size_of::<THREADENTRY32>() as u32,
        ..Default::default()
    };
    let mut resumed = false;
    // SAFETY: the handle is that of a snapshot of threads, and the entry knows its size.
    let mut found = unsafe { Thread32First(threads.as_raw_handle(), &raw mut entry) };
    while found != 0 {
        if entry.th32OwnerProcessID == process {
            resume_thread(entry.th32ThreadID)?;
            resumed = true;
        }
        // SAFETY: as above.
        found = unsafe { Thread32Next(threads.as_raw_handle(), &raw mut entry) };
    }
    if resumed {
        Ok(())
    } else {
        Err(io::Error::other("the new process has no thread"))
    }
}

fn resume_thread(thread: u32) -> io::Result<()> {
    // SAFETY: the call takes numbers only.
    let handle = unsafe { OpenThread(THREAD_SUSPEND_RESUME, 0, thread) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was just made, and belongs to nobody else.
    let handle = unsafe { OwnedHandle::from_raw_handle(handle) };
    // SAFETY: the handle is that of a thread, opened for this.
    if unsafe { ResumeThread(handle.as_raw_handle()) } == u32::MAX {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn check(done: i32) -> io::Result<()> {
    if done == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
