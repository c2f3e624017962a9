import { buildIfStale } from '../../../scripts/build-if-stale.js';

/** Tests use the compiled program, also when Jest is started by an editor. */
export default async function prepare() {
  await buildIfStale();
  const { setup } = await import('../global-setup.js');
  await setup();
}
