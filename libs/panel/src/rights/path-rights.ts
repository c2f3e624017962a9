import type { Needs } from '#panel-kit';

/** The first steps change the profile, an event, the payment account and a device. */
export const welcomeNeeds: Needs = ['profile.change', 'event.change', 'product.change', 'paymentAccount.change', 'door.set'];
