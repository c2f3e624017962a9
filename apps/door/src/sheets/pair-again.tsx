import type { JSX } from 'preact';
import type { DoorModel } from '../app/model.js';
import { asksAgain, dropOpenedCode, openedCode } from '../app/opened-code.js';
import { phoneLabel } from '../device/phone.js';
import { Button } from '../parts/button.js';
import { FailureNote } from '../parts/failure.js';
import { SheetFrame } from '../parts/sheet.js';
import { t } from '../texts/texts.js';

/** The phone is paired, and somebody opened the address of another code with it: it stays as it is, or takes the new code. */
export function PairAgain({ model }: { readonly model: DoorModel }): JSX.Element | null {
  const { value: code } = openedCode;
  const { phase, tenantName, deviceName } = model.state.value;
  if (code === null || !asksAgain.value || !['choosing', 'open', 'locked'].includes(phase)) return null;
  const keep = (): void => {
    dropOpenedCode();
    model.failure.value = null;
  };
  const pair = async (): Promise<void> => {
    await model.attempt(() => model.engine.pairAgain(code, phoneLabel(navigator.userAgent)));
    if (!model.failure.value) keep();
  };
  return (
    <SheetFrame name="pair-again" title={t('pairing.again')} onClose={keep}>
      <p>{t('pairing.againLead', { device: deviceName ?? '', place: tenantName ?? '' })}</p>
      <FailureNote model={model} />
      <Button action="keep-pairing" look="main" disabled={model.working.value} onPress={keep}>
        {t('pairing.keep')}
      </Button>
      <Button action="pair-again" disabled={model.working.value} onPress={pair}>
        {t(model.working.value ? 'pairing.working' : 'pairing.pairAgain')}
      </Button>
    </SheetFrame>
  );
}
