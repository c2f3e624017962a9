/** The longest files begin first, so that none of them runs alone at the end. Jest knows no durations in a fresh clone. */
import Sequencer from '@jest/test-sequencer';

const longest = [
  'backup.e2e',
  'pages.browser',
  'twin-tenants.e2e',
  'start.e2e',
  'cli.e2e',
  'panel.browser',
  'door-life.browser',
  'panel-methods.e2e',
  'roles-matrix.e2e',
  'v2-event-faults.e2e',
  'door.browser',
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => longest.toReversed().findIndex((name) => path.endsWith(`/${name}-spec.ts`));
    const sorted = super.sort(tests); // oxlint-disable-line unicorn/no-array-sort -- the sequencer's
    return sorted.toSorted((one, other) => place(other) - place(one));
  }
}
