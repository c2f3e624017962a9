import { useTranslation } from 'adminjs';
import { ask } from '#panel-kit/components/page/confirm.js';
import { Copy } from '#panel-kit/components/shared/Copy.js';
import { usePolling } from '#panel-kit/components/shared/polling.js';
import { dayAndTime } from '#panel-kit/components/shared/times.js';
import { GuideLink } from '../pairing/GuideLink.js';
import { addressOf, call, useSend, type RecordPage } from '#panel-kit/components/page/view.js';
import type { PairingView } from '../../door/scanning-devices.resource.js';

const EVERY = 5000;
function Open({ view }: { readonly view: Extract<PairingView, { state: 'open' }> }) {
  const { tc } = useTranslation();
  return (
    <>
      <p className="gt-lead">{tc('Pairing.how')}</p>
      <img className="gt-qr" src={view.picture} alt={tc('Pairing.picture')} />
      <p>{tc('Pairing.once', { time: dayAndTime(view.expiresAt) })}</p>
      <Copy label={tc('Pairing.door')} text={view.door} />
      <Copy label={tc('Pairing.address')} text={view.address} />
      <GuideLink />
    </>
  );
}

function Closed({ state }: { readonly state: PairingView['state'] }) {
  const { tc } = useTranslation();
  if (state !== 'spent') return <p className="gt-lead">{tc(`Pairing.${state}`)}</p>;
  return (
    <>
      <p className="gt-lead gt-good">✓ {tc('Pairing.spent')}</p>
      <p>{tc('Pairing.spentHow')}</p>
    </>
  );
}

/** A device's pairing code, large enough to scan from a distance. Polls, so that it shows when the code was used. */
export default function PairingCode(page: RecordPage) {
  const { tb, tc, tl } = useTranslation();
  const address = addressOf(page);
  const { value: view, reload } = usePolling(async () => (await call<PairingView>(address)).view, EVERY);
  const { send } = useSend(page.resource.id);
  const renew = async (): Promise<void> => {
    const question = tc('Pairing.renewSure');
    if (view?.state === 'spent' && !(await ask({ question, yes: tc('Pairing.renew'), no: tb('cancel'), danger: true }))) {
      return;
    }
    await send(address, {});
    await reload();
  };
  return (
    <section className="gt-panel gt-pairing" aria-live="polite">
      <h2>{tc('Pairing.title', { name: page.record.title })}</h2>
      {view ? view.state === 'open' ? <Open view={view} /> : <Closed state={view.state} /> : <p>{tl('loading')}</p>}
      {view ? (
        <button type="button" className={view.state === 'open' ? 'gt-button gt-button-quiet' : 'gt-button'} onClick={() => void renew()}>
          {tc('Pairing.renew')}
        </button>
      ) : null}
    </section>
  );
}
