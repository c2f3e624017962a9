import { useTranslation } from 'adminjs';
import { localNumber } from '#panel-kit/components/shared/numbers.js';
import { timeOf } from '#panel-kit/components/shared/times.js';
import { EntriesChart, type Scale } from './EntriesChart.js';
import type { BoardGate, DoorBoard } from './board.js';

/** The charts of all gates have one scale; with few entries, a single one does not fill its chart. */
const leastScale = 5;
const TABLE_MINUTES = 10;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function Gate({ gate, name, most, now }: Scale & { readonly gate: BoardGate; readonly name: string }) {
  const { tc } = useTranslation();
  const { inside, entries, secondsPerPerson } = gate;
  return (
    <li className="gt-panel gt-gate">
      <h3>{name}</h3>
      <p className="gt-gate-numbers">
        <span>
          <strong>{inside}</strong> {tc('Door.insideHere')}
        </span>
        <span>
          <strong>{sumOf(entries.slice(-60))}</strong> {tc('Door.lastHour')}
        </span>
        <span>
          <strong>{secondsPerPerson === null ? '–' : localNumber(secondsPerPerson)}</strong> {tc('Door.secondsEach')}
        </span>
      </p>
      <EntriesChart entries={entries} most={most} now={now} name={name} />
    </li>
  );
}

/** The charts as a table: entries of ten minutes each, newest first. */
function EntriesTable({ gates, names, now }: Pick<DoorBoard, 'gates' | 'now'> & { readonly names: readonly string[] }) {
  const { tc } = useTranslation();
  const length = gates[0]?.entries.length ?? 0;
  const last = Math.floor(Date.parse(now) / 60_000);
  const rows = Array.from({ length: length / TABLE_MINUTES }, (_, index) => {
    const to = length - index * TABLE_MINUTES;
    const from = new Date((last - (length - 1 - (to - TABLE_MINUTES))) * 60_000).toISOString();
    return { from, counts: gates.map(({ entries }) => sumOf(entries.slice(to - TABLE_MINUTES, to))) };
  });
  return (
    <details className="gt-entries-table">
      <summary>{tc('Door.asTable')}</summary>
      <div className="gt-panel gt-scrolls" tabIndex={0} role="region" aria-label={tc('Door.asTable')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{tc('Door.tenMinutes')}</th>
              {names.map((name, index) => (
                <th key={gates[index]?.id ?? ''} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ from, counts }) => (
              <tr key={from}>
                <th scope="row">
                  <time dateTime={from}>{timeOf(from)}</time>
                </th>
                {counts.map((count, index) => (
                  <td key={gates[index]?.id ?? ''}>{count}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Each gate with its people, its pace and its entries per minute. */
export function DoorGates({ board: { gates, now } }: { readonly board: DoorBoard }) {
  const { tc } = useTranslation();
  const most = Math.max(leastScale, ...gates.flatMap(({ entries }) => entries));
  const names = gates.map(({ id, name }) => (id === null ? tc(gates.length === 1 ? 'Door.allGates' : 'Door.noGate') : (name ?? '')));
  return (
    <section aria-labelledby="door-gates">
      <h2 id="door-gates">{tc('Door.gates')}</h2>
      <ul className="gt-gates">
        {gates.map((gate, index) => (
          <Gate key={gate.id ?? ''} gate={gate} name={names[index] ?? ''} most={most} now={now} />
        ))}
      </ul>
      <EntriesTable gates={gates} names={names} now={now} />
    </section>
  );
}
