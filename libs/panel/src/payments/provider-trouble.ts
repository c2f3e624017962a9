import { PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { currentPanelRequest } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** An error of the payment provider, with a message in the user's language. */
export interface ProviderTrouble {
  readonly kind: 'key' | 'refused' | 'unavailable';
  readonly message: string;
}

/** Runs a call to the provider. @returns undefined when it succeeded */
export async function providerTrouble(work: () => Promise<unknown>): Promise<ProviderTrouble | undefined> {
  const words = troubles[currentPanelRequest().language];
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof PaymentProviderUnavailable) return { kind: 'unavailable', message: words.unavailable };
    if (!(error instanceof PaymentProviderRefused)) throw error;
    if (error.code === 'key') return { kind: 'key', message: words.key };
    return { kind: 'refused', message: words.refused(error.message) };
  }
}

const troubles = texts.perLanguage('providerTrouble', ({ words, t }) => ({
  ...words,
  refused: (message: string) => t('providerTrouble.refused', { message }),
}));
