import { origin } from './setting-types.js';

/** Where the payment providers are. */
export const providerSpecification = {
  STRIPE_API_BASE: origin({ default: 'https://api.stripe.com' }),
  MOLLIE_API_BASE: origin({ default: 'https://api.mollie.com' }),
};

/** Scheme, host and port of the APIs of payment providers. */
export interface ProviderSettings {
  readonly stripeApiBase: string;
  readonly mollieApiBase: string;
}
