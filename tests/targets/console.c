/* Runs a program of the console and sends it what the system sends when somebody presses Ctrl-C, or closes the window:
 *     console.exe c|break|close FILE PROGRAM ARGUMENT...
 * It is sent once FILE exists. The status is that of the program. As Windows does it, a program whose window is closed is terminated when
 * its functions have returned, or after five seconds.
 *
 * No function of Windows sends the event of a closed window, and a test has no window to close. So the thread in which Windows calls the
 * functions that a program has set (CtrlRoutine of kernelbase.dll) is started in the program from here, for each event in the same way. */
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

/* How long the file is waited for, and then the program, in milliseconds. */
#define TIMEOUT 120000
/* How long a program may work on when its window is closed, in milliseconds. */
#define CLOSING 5000
/* The status of a program that was terminated with its window: STATUS_CONTROL_C_EXIT. */
#define CLOSED 0xC000013A

static int fail(const char *what)
{
    fprintf(stderr, "console.exe: %s: error %lu\n", what, GetLastError());
    return 99;
}

/* The command line behind a number of words. */
static wchar_t *behind(wchar_t *line, int words)
{
    while (words--) {
        BOOL quoted = FALSE;
        for (; *line && (quoted || *line != L' '); line++) {
            if (*line == L'"')
                quoted = !quoted;
        }
        while (*line == L' ')
            line++;
    }
    return line;
}

int wmain(int count, wchar_t **words)
{
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION program;
    LPTHREAD_START_ROUTINE routine;
    HANDLE thread;
    DWORD event, waited, status;

    if (count < 4)
        return fail("console.exe c|break|close FILE PROGRAM ARGUMENT...");
    event = !wcscmp(words[1], L"c") ? CTRL_C_EVENT : !wcscmp(words[1], L"break") ? CTRL_BREAK_EVENT : CTRL_CLOSE_EVENT;
    /* Libraries of the system have the same place in every process. */
    routine = (LPTHREAD_START_ROUTINE)(void *)GetProcAddress(GetModuleHandleW(L"kernelbase.dll"), "CtrlRoutine");
    if (!routine)
        return fail("there is no CtrlRoutine");
    if (!CreateProcessW(NULL, behind(GetCommandLineW(), 3), NULL, NULL, TRUE, 0, NULL, NULL, &start, &program))
        return fail("the program does not start");
    for (waited = 0; GetFileAttributesW(words[2]) == INVALID_FILE_ATTRIBUTES; waited += 20) {
        if (waited > TIMEOUT || WaitForSingleObject(program.hProcess, 20) == WAIT_OBJECT_0)
            break;
    }
    thread = CreateRemoteThread(program.hProcess, NULL, 0, routine, (void *)(ULONG_PTR)event, 0, NULL);
    if (!thread)
        return fail("the event is not sent");
    if (event == CTRL_CLOSE_EVENT) {
        HANDLE any[] = {thread, program.hProcess};
        DWORD answer = 0;
        WaitForMultipleObjects(2, any, FALSE, CLOSING);
        /* A thread that has ended with its process has the status of the process, and otherwise whether the event was handled. */
        GetExitCodeThread(thread, &answer);
        if (answer <= TRUE || answer == STILL_ACTIVE)
            TerminateProcess(program.hProcess, CLOSED);
    }
    if (WaitForSingleObject(program.hProcess, TIMEOUT) != WAIT_OBJECT_0) {
        TerminateProcess(program.hProcess, 98);
        return fail("the program does not end");
    }
    GetExitCodeProcess(program.hProcess, &status);
    return (int)status;
}
