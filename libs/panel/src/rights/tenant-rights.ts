import type { PanelRights, ResourceRights } from '#panel-kit';
import { tablesOfResources } from '../changes/change-sentences.js';
import { doorRights } from './door-rights.js';
import { salesRights } from './sales-rights.js';

/** All actions of a list need the same. */
const each = <Name extends string, Needed extends NonNullable<ResourceRights['create']> | 'always'>(
  names: readonly Name[],
  needs: Needed,
): Record<Name, Needed> => Object.fromEntries(names.map((name) => [name, needs])) as Record<Name, Needed>;

/** These ask again for a proof. */
const asked = (...names: readonly string[]): NonNullable<ResourceRights['proofs']> => each(names, 'always' as const);

/** Changes tell names, addresses and amounts. */
const told = ['history.see', 'money.see', 'contact.see'] as const;

/** Messages of webhooks contain names, addresses and amounts: who chooses where they go can read them. */
const personal = ['contact.see', 'money.see', 'reservation.see', 'membership.see'] as const;
const sending = ['webhook.change', ...personal] as const;

const programme: PanelRights = {
  events: {
    see: 'event.see',
    create: 'event.change',
    change: 'event.change',
    remove: 'event.change',
    actions: {
      sell: ['reservation.sell', 'money.see', 'contact.see'],
      door: 'door.follow',
      guests: 'reservation.checkIn',
      refunds: ['refund.give', 'money.see'],
      products: ['event.change', 'product.see'],
      ...each(['duplicate', 'publish', 'unpublish', 'moreDates', 'changeDates', 'publishDates', 'leaveSeries'], 'event.change'),
      // Cancelled reservations are paid back.
      ...each(['cancel', 'cancelDates'], ['event.change', 'refund.give']),
      ...each(['sharedPlaces', 'picture', 'gallery'], 'event.change'),
      message: 'mail.write',
      setUp: ['event.change', 'product.change'],
    },
    values: {
      // A sentence to all holders.
      holderNote: 'mail.write',
      cancellation: 'figures.see',
      unbookable: 'event.change',
      unbookableHref: 'event.change',
      dates: 'see',
      page: 'see',
      // Each list needs its own right.
      lists: 'see',
      products: 'product.see',
      picture: 'see',
      holders: 'figures.see',
      filled: 'figures.see',
      sharedLeft: 'figures.see',
      sold: 'figures.see',
      inside: 'figures.see',
      bookings: 'figures.see',
      datesToPublish: 'see',
      imageId: 'see',
      sameAs: 'see',
      takesVolunteers: 'see',
      refundsDue: ['refund.see', 'money.see'],
      // The takings are the sum of the list of payments.
      revenue: ['payment.see', 'money.see'],
    },
    event: 'id',
    scoped: ['publish', 'unpublish', 'products', 'picture', 'gallery', 'message'],
    proofs: asked('cancel', 'cancelDates'),
    wide: ['dates', 'seriesId', 'superEventId', 'sharedLeft', 'datesToPublish'],
    isNamed: true,
  },
  series: { see: 'event.see', change: 'event.change', values: { page: 'see', dates: 'see' }, isNamed: true },
  products: {
    see: 'product.see',
    create: 'product.change',
    change: 'product.change',
    actions: each(['questions', 'picture'], 'product.change'),
    values: { picture: 'see', prices: 'see', questions: 'see' },
    isNamed: true,
  },
  codes: {
    see: 'code.see',
    create: 'code.change',
    change: 'code.change',
    prints: 'code.see',
    actions: { import: 'code.change' },
    // What a code saves is told to whoever has it; sums are money.
    values: {
      appliesTo: 'see',
      value: 'see',
      budget: 'see',
      placeAmount: 'see',
      given: 'see',
      givenLeft: 'see',
      count: 'see',
      uses: 'see',
      spent: 'money.see',
      others: 'see',
      eventId: 'see',
      productId: 'see',
      priceId: 'see',
      orders: ['reservation.see', 'money.see'],
      events: 'see',
      products: 'see',
      prices: 'see',
    },
    // Whoever has the list can use its codes.
    proofs: asked('exports', 'import'),
    isNamed: true,
  },
  discounts: {
    see: 'code.see',
    create: 'code.change',
    change: 'code.change',
    values: {
      value: 'see',
      leastAmount: 'see',
      firstPriceId: 'see',
      firstCount: 'see',
      secondPriceId: 'see',
      secondCount: 'see',
      thirdPriceId: 'see',
      thirdCount: 'see',
      eventId: 'see',
      productId: 'see',
      priceId: 'see',
      others: 'see',
      uses: 'see',
      spent: 'money.see',
    },
    isNamed: true,
  },
  campaigns: {
    see: 'product.see',
    create: 'product.change',
    change: 'product.change',
    remove: 'product.change',
    actions: { picture: 'product.change' },
    // Pages tell the goal and what is reached.
    values: { goal: 'see', reached: 'see', given: 'see', picture: 'see', imageId: 'see', page: 'see' },
    isNamed: true,
  },
  prices: {
    see: 'product.see',
    create: 'product.change',
    change: 'product.change',
    actions: { split: 'product.change' },
    // What a ticket costs is no secret. What a change means is for those who may.
    values: { amount: 'see', sharedBy: 'product.change', product: 'see', requiredMembership: 'see' },
    isNamed: true,
  },
  addresses: {
    see: 'event.see',
    create: 'event.change',
    change: 'event.change',
    actions: { picture: 'event.change' },
    values: { map: 'see', picture: 'see', imageId: 'see' },
    event: 'all',
    isNamed: true,
  },
};

const settings: PanelRights = {
  networks: {
    see: 'place.see',
    actions: { ...each(['ask', 'send', 'gather', 'leave'], 'place.change'), cards: ['place.change', 'payment.change', 'money.see'] },
  },
  members: { see: 'place.see', actions: each(['accept', 'refuse', 'remove'], 'place.change') },
  'payment-account': {
    see: 'paymentAccount.see',
    remove: 'paymentAccount.change',
    actions: each(['change', 'check', 'enable', 'disable', 'first', 'add', 'transferAccount'], 'paymentAccount.change'),
    proofs: asked('delete', 'change', 'enable', 'disable', 'first', 'add', 'transferAccount'),
  },
  'card-readers': {
    see: 'paymentAccount.see',
    remove: 'paymentAccount.change',
    actions: { pair: 'paymentAccount.change' },
    values: { state: 'see' },
    proofs: asked('delete', 'pair'),
  },
  // A list of keys, empty until somebody sets one up.
  wallets: { see: 'profile.change', remove: 'profile.change', actions: each(['apple', 'google'], 'profile.change') },
  profile: {
    see: 'profile.see',
    change: 'profile.change',
    actions: each(['look', 'shop', 'taxReceipts', 'gallery', 'image', 'logo', 'map'], 'profile.change'),
    // The address of the venue is on its pages.
    values: { email: 'see', image: 'see', logo: 'see', map: 'see' },
  },
  keys: {
    see: 'key.see',
    create: 'key.change',
    actions: each(['reveal', 'origins', 'takeOver', 'revoke'], 'key.change'),
    proofs: asked('new', 'origins', 'takeOver'),
  },
  'webhook-endpoints': {
    see: 'webhook.see',
    create: sending,
    change: sending,
    remove: 'webhook.change',
    actions: { ...each(['reveal', 'resend', 'rotate', 'enable'], sending), ...each(['ping', 'disable'], 'webhook.change') },
    values: { deliveries: 'see' },
    proofs: asked('new', 'edit', 'rotate', 'enable', 'resend'),
    isNamed: true,
  },
  'webhook-deliveries': {
    see: 'webhook.see',
    actions: { again: sending },
    values: { progress: 'see', body: personal },
    proofs: asked('again'),
  },
  people: {
    see: 'people.see',
    remove: 'people.change',
    actions: each(
      ['invite', 'factorRoles', 'change', 'suspend', 'letIn', 'resend', 'link', 'takeBack', 'askReset', 'confirmReset', 'dropReset'],
      'people.change',
    ),
    // They are colleagues.
    values: { email: 'see' },
    proofs: asked('delete', 'invite', 'factorRoles', 'change', 'letIn', 'resend', 'link', 'askReset', 'confirmReset'),
  },
  roles: {
    see: 'people.see',
    create: 'people.change',
    change: 'people.change',
    remove: 'people.change',
    proofs: asked('new', 'edit', 'delete'),
  },
  'support-visits': { see: 'people.see', values: { acts: 'see' } },
  // Its sentences tell of everything.
  changes: {
    see: [
      ...told,
      'reservation.see',
      'membership.see',
      'product.see',
      'profile.see',
      'paymentAccount.see',
      'key.see',
      'people.see',
      'webhook.see',
    ],
  },
};

/** The history of a record is for people who may open the record and see what its changes tell. */
const withHistory = (rights: PanelRights): PanelRights =>
  Object.fromEntries(
    Object.entries(rights).map(([id, right]) => [
      id,
      tablesOfResources[id] ? { ...right, actions: { ...right.actions, history: told } } : right,
    ]),
  );

/**
 * What people need for each resource of a venue's panel. A resource, action, page, export or mixed value without a line does not start the
 * application.
 */
export const tenantRights: PanelRights = withHistory({ ...doorRights, ...salesRights, ...programme, ...settings });
