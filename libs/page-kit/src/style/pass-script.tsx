import type { VNode } from 'preact';
import { assetPath } from './page-assets.js';

/** The script that forgets kept pages when the visitor signs out. @param keeps it also keeps this page for times without a network */
export function PassScript({ keeps = false }: { readonly keeps?: boolean }): VNode {
  return <script src={assetPath('pass.js')} data-worker={keeps ? assetPath('pass-worker.js') : undefined} defer />;
}
