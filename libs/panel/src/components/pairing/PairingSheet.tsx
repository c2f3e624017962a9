import { useTranslation } from 'adminjs';
import { Icon, Loader } from '@adminjs/design-system';
import { addressOf, useView, type RecordPage } from '#panel-kit/components/page/view.js';
import type { SheetView } from '../../door/scanning-devices.resource.js';
import { GuideLink } from './GuideLink.js';

/** The sheet itself, in the language of the place. */
function Sheet({ view }: { readonly view: Extract<SheetView, { state: 'open' }> }) {
  const { venue, title, name, picture, pictureOf, code, type, facts, stepsTitle, steps, iphone, help } = view;
  return (
    <article className="gt-panel gt-sheet" lang={view.language}>
      <header>
        <p>{venue}</p>
        <h2>{title}</h2>
        <p className="gt-sheet-name">{name}</p>
      </header>
      <div className="gt-sheet-code">
        <img src={picture} alt={pictureOf} />
        {code ? (
          <p>
            {type} <strong className="gt-typed-code">{code}</strong>
          </p>
        ) : null}
      </div>
      <section>
        <h3>{stepsTitle}</h3>
        <ol>
          {steps.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
        <p className="gt-small">{iphone}</p>
      </section>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="gt-small">{help}</p>
    </article>
  );
}

/** The pairing sheet of a device or a team code, for the browser to print on A4. */
export default function PairingSheet(page: RecordPage) {
  const { tc } = useTranslation();
  const [view] = useView<SheetView>(addressOf(page));
  if (!view) return <Loader />;
  if (view.state !== 'open') {
    return <p className="gt-panel gt-nothing">{tc(view.state === 'over' ? 'TeamCode.over' : `Pairing.${view.state}`)}</p>;
  }
  return (
    <div className="gt-sheet-page">
      <p>
        <button type="button" className="gt-button" onClick={() => window.print()}>
          <Icon icon="Printer" size={16} /> {tc('Guests.print')}
        </button>
      </p>
      <GuideLink />
      <Sheet view={view} />
    </div>
  );
}
