/** Tags of the document with their descriptions. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Events:
    'Events of a place as schema.org Event, with their options, addresses and what is sold for them. On a network: the events of ' +
    'its members.',
  'Postal addresses': 'Where events take place, as schema.org PostalAddress.',
  Products: 'What is sold, as schema.org Product, and its prices as schema.org Offer.',
  Reservations: 'Bookings with their tickets, as schema.org EventReservation.',
  Memberships: 'Memberships of people, as schema.org ProgramMembership.',
  Codes: 'Discount codes, which reduce or open prices.',
  Discounts: 'Discounts without a code: from a number of tickets, for members, for families.',
  'Gift cards': 'Vouchers that pay tickets, goods and memberships: their value, their movements, and blocking them.',
  Campaigns: 'What donations are collected for: their texts, goals, and what was given.',
  Customers: 'Schools, companies and others that buy on account, and what they have to pay.',
  Cards: 'NFC cards of members and buyers.',
  Webhooks: 'Endpoints to which changes are sent, their deliveries, and the feed of the same events.',
  'Webhook messages': 'What endpoints receive.',
  'Scanning devices': 'For devices at the door: pairing, checking and scanning tickets, lists of events and tickets.',
  Places: 'The public records of the places of the server, on its first Meta, and their creation.',
  'First API': 'The spelling of the first API. It keeps working; each route names its successor.',
  'This document': 'The document itself and a page to read it.',
};
