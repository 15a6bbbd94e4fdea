/* Wine 8 lacks this library of Windows, which the standard library of Rust takes its random numbers from. For tests under Wine only. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return RtlGenRandom(data, (ULONG)length);
}
