import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { networkWords } from '../app/network-words.js';
import { battery, lowBattery } from '../device/battery.js';
import { language, t } from '../texts/texts.js';

/** How the phone hears the server, in words, and the battery when it is low. */
export function NetworkNote({ model }: { readonly model: DoorModel }): JSX.Element {
  const { network, timeZone } = model.state.value;
  const { value: charge } = battery;
  return (
    <p class="network" data-kind={network.kind} role="status">
      <span>{networkWords(network, { t, locale: language.value.locale, zone: timeZone })}</span>
      {charge && !charge.charging && charge.percent < lowBattery && (
        <span class="battery">{t('network.battery', { percent: charge.percent })}</span>
      )}
    </p>
  );
}

/** Marks the practice mode on every screen. */
export function PracticeNote(): JSX.Element {
  return (
    <p class="practice" role="status">
      {t('practice.mark')}
    </p>
  );
}
