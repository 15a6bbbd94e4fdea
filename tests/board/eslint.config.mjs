const browser = ['AbortController', 'AudioBufferSourceNode', 'AudioContext', 'OscillatorNode', 'window', 'document', 'location', 'localStorage', 'sessionStorage', 'fetch', 'EventSource', 'HTMLElement', 'Element', 'MessageEvent',
  'matchMedia', 'addEventListener', 'performance', 'setInterval', 'setTimeout', 'clearTimeout', 'URLSearchParams', 'URL', 'Blob', 'navigator', 'structuredClone', 'console',
  'process', 'Buffer', 'history', 'MutationObserver', 'PerformanceObserver', 'requestAnimationFrame', 'cancelAnimationFrame', 'innerWidth', 'innerHeight', 'Event', 'ResizeObserver', 'getComputedStyle', 'Image', 'devicePixelRatio',
  'Worker', 'XMLHttpRequest', 'WebAssembly', 'Response', 'Request', 'EventTarget', 'CustomEvent', 'dispatchEvent', 'TextEncoder', 'TextDecoder', 'MessageChannel', 'postMessage', 'crypto', 'indexedDB', 'AbortSignal',
  'caches', 'clients', 'registration', 'onmessage'];

export default [{
  files: ['**/*.js', '**/*.mjs'],
  languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: Object.fromEntries(browser.map((name) => [name, 'readonly'])) },
  rules: {
    'no-undef': 'error', 'no-unused-vars': 'error', 'prefer-const': 'error', eqeqeq: 'error', 'no-var': 'error', 'no-shadow': 'error', 'no-eval': 'error', 'no-implied-eval': 'error',
    'no-constant-condition': 'error', 'no-unreachable': 'error', 'no-dupe-keys': 'error', 'no-self-assign': 'error', 'no-fallthrough': 'error', 'no-loss-of-precision': 'error',
  },
}];
