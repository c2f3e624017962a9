import type { ReaderOptions } from 'zxing-wasm/reader';

/** How codes are read. Tests read their pictures with the same options. */
export const readerOptions: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  // Tickets on phones in dark mode are light on dark.
  tryInvert: true,
  tryRotate: true,
  tryDownscale: true,
  maxNumberOfSymbols: 1,
  textMode: 'Plain',
};
