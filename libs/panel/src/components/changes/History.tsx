import { useTranslation } from 'adminjs';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import { addressOf, useView, type RecordPage } from '#panel-kit/components/page/view.js';
import type { HistoryView } from '../../changes/history.action.js';

/** Who changed the record, and what, the newest first. */
export default function History(page: RecordPage) {
  const { tl } = useTranslation();
  const [view] = useView<HistoryView>(addressOf(page));
  if (!view) return <p className="gt-panel">{tl('loading')}</p>;
  return (
    <section className="gt-panel gt-history">
      <p className="gt-small">{view.lead}</p>
      {view.items.length === 0 ? <p>{view.nothing}</p> : null}
      <ol>
        {view.items.map(({ at, sentence }, index) => (
          <li key={index}>
            <time dateTime={at}>{dayAndTime(at)}</time>
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
