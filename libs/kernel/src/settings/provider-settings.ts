import { origin } from './setting-types.js';

/** Where the payment providers are. */
export const providerSpecification = {
  STRIPE_API_BASE: origin({ default: 'https://api.stripe.com' }),
  MOLLIE_API_BASE: origin({ default: 'https://api.mollie.com' }),
  SUMUP_API_BASE: origin({ default: 'https://api.sumup.com' }),
};

/** Scheme, host and port of the APIs of payment providers. */
export interface ProviderSettings {
  readonly stripeApiBase: string;
  readonly mollieApiBase: string;
  readonly sumUpApiBase: string;
}

export const providerSettings = (env: Readonly<Record<keyof typeof providerSpecification, string>>): ProviderSettings => ({
  stripeApiBase: env.STRIPE_API_BASE,
  mollieApiBase: env.MOLLIE_API_BASE,
  sumUpApiBase: env.SUMUP_API_BASE,
});
