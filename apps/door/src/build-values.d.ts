/** Values that `scripts/build-door.js` inserts. */

/** Identifies the build. */
declare const BUILD_VERSION: string;
/** Address of the decoder's script. */
declare const BUILD_DECODER: string;
/** Address of the decoder's WebAssembly. */
declare const BUILD_WASM: string;
/** Address of the page, with a hash. */
declare const BUILD_SHELL: string;
/** Addresses that the service worker stores. */
declare const BUILD_FILES: readonly string[];
/** The languages of the server, with the addresses of their texts. */
declare const BUILD_LANGUAGES: ReadonlyArray<{
  readonly code: string;
  readonly name: string;
  readonly locale: string;
  readonly file: string;
  /** Address of the page for volunteers. */
  readonly guide: string;
}>;
