/** Values that `scripts/build-door.js` inserts. */

/** Identifies the build. */
declare const BUILD_VERSION: string;
/** Address of the style sheet that the first screen does not use. */
declare const BUILD_LATER_STYLE: string;
/** Address of the decoder's script. */
declare const BUILD_DECODER: string;
/** Address of the decoder's WebAssembly. */
declare const BUILD_WASM: string;
/** Address of the page, with a hash. */
declare const BUILD_SHELL: string;
/** Addresses that the service worker stores. */
declare const BUILD_FILES: readonly string[];
/** The languages of the server, with the addresses of the texts that the first screen uses. */
declare const BUILD_LANGUAGES: ReadonlyArray<{ readonly code: string; readonly locale: string; readonly file: string }>;
/** What only later screens know of the languages, as JSON: objects would be in the file that the first screen waits for. */
declare const BUILD_LATER_LANGUAGES: string;
