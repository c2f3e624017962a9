/** Values that `scripts/build-door.js` inserts. */

/** Identifies the build. */
declare const __VERSION__: string;
/** Address of the decoder's script. */
declare const __DECODER__: string;
/** Address of the decoder's WebAssembly. */
declare const __WASM__: string;
/** Addresses that the service worker stores. */
declare const __FILES__: readonly string[];
/** The languages of the server, with the addresses of their texts. */
declare const __LANGUAGES__: ReadonlyArray<{ readonly code: string; readonly name: string; readonly locale: string; readonly file: string }>;
