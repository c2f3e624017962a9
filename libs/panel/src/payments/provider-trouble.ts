import { PaymentProviderRefused, PaymentProviderUnavailable, type PaymentProvider, type ProviderAccount } from '#payments';
import { currentPanelRequest } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** An error of the payment provider, with a message in the user's language. */
export interface ProviderTrouble {
  readonly kind: 'key' | 'refused' | 'unavailable';
  readonly message: string;
}

/** Asks the provider about an account. @returns undefined when it knows the account */
export async function providerTrouble(provider: PaymentProvider, account: ProviderAccount): Promise<ProviderTrouble | undefined> {
  const { language } = currentPanelRequest();
  const name = provider.label[language];
  try {
    await provider.check(account);
    return undefined;
  } catch (error) {
    if (error instanceof PaymentProviderUnavailable) return { kind: 'unavailable', message: troubles[language].unavailable(name) };
    if (!(error instanceof PaymentProviderRefused)) throw error;
    if (error.code === 'key') return { kind: 'key', message: troubles[language].key(name) };
    return { kind: 'refused', message: troubles[language].refused(name, error.message) };
  }
}

const troubles = texts.perLanguage('providerTrouble', ({ t }) => ({
  unavailable: (provider: string) => t('providerTrouble.unavailable', { provider }),
  key: (provider: string) => t('providerTrouble.key', { provider }),
  refused: (provider: string, message: string) => t('providerTrouble.refused', { provider, message }),
}));
