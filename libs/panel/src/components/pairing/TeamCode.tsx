import { useTranslation } from 'adminjs';
import { Link } from 'react-router-dom';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import { Copy } from '#panel-kit/components/shared/Copy.js';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import { GuideLink } from './GuideLink.js';
import { addressOf, call, type RecordPage } from '#panel-kit/components/page/view.js';
import type { TeamCodeView } from '../../pairing/team-code.reader.js';

const EVERY = 5000;
type OpenView = Extract<TeamCodeView, { state: 'open' }>;

/** The phones that used the code, the newest first. */
function Devices({ devices }: { readonly devices: OpenView['devices'] }) {
  const { tc } = useTranslation();
  if (devices.length === 0) return <p className="gt-absent">{tc('TeamCode.nobody')}</p>;
  return (
    <ul className="gt-related">
      {devices.toReversed().map(({ id, name, state, at }) => (
        <li key={id}>
          <span className="gt-related-title">
            <Link to={recordAddress('devices', id)}>{name}</Link>
          </span>
          <span className="gt-small">
            {at ? <time dateTime={at}>{dayAndTime(at)}</time> : null}
            {state === 'paired' ? '' : ` · ${tc(`TeamCode.${state}`)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Open({ view }: { readonly view: OpenView }) {
  const { tc } = useTranslation();
  const { code, picture, address, expiresAt, places, taken, devices } = view;
  return (
    <>
      <p className="gt-lead">{tc('TeamCode.how')}</p>
      <img className="gt-qr" src={picture} alt={tc('TeamCode.picture')} />
      <p className="gt-typed-code">{code}</p>
      <p>{tc('TeamCode.until', { time: dayAndTime(expiresAt) })}</p>
      <Copy label={tc('Pairing.door')} text={address} />
      <GuideLink />
      <h3>{tc('TeamCode.taken', { taken, places })}</h3>
      <Devices devices={devices} />
    </>
  );
}

/** A team code, large enough to scan from a distance, with the phones that used it. Polls, so that they appear as they come. */
export default function TeamCode(page: RecordPage) {
  const { tc, tl } = useTranslation();
  const address = addressOf(page);
  const { value: view } = usePolling(async () => (await call<TeamCodeView>(address)).view, EVERY);
  return (
    <section className="gt-panel gt-pairing gt-team-code" aria-live="polite">
      <h2>{page.record.title}</h2>
      {view ? view.state === 'open' ? <Open view={view} /> : <p className="gt-lead">{tc('TeamCode.over')}</p> : <p>{tl('loading')}</p>}
    </section>
  );
}
