export type Body = Record<string, unknown>;
export type Method = 'post' | 'patch' | 'delete';

/** A valid postal address. */
export const addressBody = { streetAddress: '1 rue X', addressLocality: 'Y', postalCode: '1', addressCountry: 'FR' };
export const person = { email: 'ada@example.org' };
/** The start of new events. */
export const start = '2027-03-01T20:00';
/** Route, a body with unknown members, and their pointers. `{event}` and the like stand for ids. */
export const unread: [method: Method, path: string, body: Body, pointers: string[]][] = [
  ['post', '/api/v2/events/', { name: 'A', startDate: start, colour: 'red', Name: 'B' }, ['/Name', '/colour']],
  [
    'post',
    '/api/v2/events/',
    { name: 'A', startDate: start, offers: { prize: 3, eligibleQuantity: { minimum: 1 } } },
    ['/offers/eligibleQuantity/minimum', '/offers/prize'],
  ],
  ['post', '/api/v2/events/', { name: 'A', startDate: start, audience: { audienceTyp: 'private' } }, ['/audience/audienceTyp']],
  ['post', '/api/v2/events/', { name: 'A', startDate: start, superEvent: { identifier: '{event}', title: 'x' } }, ['/superEvent']],
  [
    'post',
    '/api/v2/events/',
    { name: 'A', startDate: start, location: { name: 'x', address: { identifier: 1, title: 'y' } } },
    ['/location/address/title'],
  ],
  [
    'post',
    '/api/v2/events/',
    { name: 'A', startDate: start, additionalProperty: [{ name: 'color', value: 1 }] },
    ['/additionalProperty/0/name'],
  ],
  [
    'post',
    '/api/v2/events/',
    { name: 'A', startDate: start, additionalProperty: [{ name: 'optionsRadio', value: [], unit: 1 }] },
    ['/additionalProperty/0/unit'],
  ],
  [
    'post',
    '/api/v2/events/',
    { name: 'A', startDate: start, hasOwnProperty: 1, toString: 2, offers: { constructor: 3 } },
    ['/hasOwnProperty', '/offers/constructor', '/toString'],
  ],
  ['post', '/api/v2/events/', { name: 'A', startDate: start, '@context': { x: 1 }, 'a/b~c': 1 }, ['/@context', '/a~1b~0c']],
  ['patch', '/api/v2/events/{event}/', { title: 'A' }, ['/title']],
  ['patch', '/api/v2/events/{event}/', { image: ['https://example.org/a.png'] }, ['/image']],
  ['post', '/api/v2/events/{event}/link-address/', { postalAddressId: '{address}', id: 1 }, ['/id', '/postalAddressId']],
  ['post', '/api/v2/events/{event}/link-address/', { ...addressBody, geo: { latitude: 1, longitude: 1, altitude: 2 } }, ['/geo/altitude']],
  ['post', '/api/v2/events/{event}/link-product/', { product: '{product}', quantity: 2 }, ['/quantity']],
  ['post', '/api/v2/events/{event}/link-product/', { product: { identifier: '{product}', title: 'x' } }, ['/product']],
  ['post', '/api/v2/postal-addresses/', { ...addressBody, phone: '1' }, ['/phone']],
  [
    'post',
    '/api/v2/postal-addresses/',
    { ...addressBody, additionalProperty: [{ name: 'isBig', value: true }] },
    ['/additionalProperty/0/name'],
  ],
  ['patch', '/api/v2/postal-addresses/{address}/', { zip: '1' }, ['/zip']],
  [
    'post',
    '/api/v2/products/',
    { name: 'A', category: 'B', colour: 'red', offers: [{ name: 'x', price: 1, tax: 5 }] },
    ['/colour', '/offers/0/tax'],
  ],
  [
    'post',
    '/api/v2/reservations/',
    { reservationFor: { identifier: '{event}', title: 'x' }, underName: person, reservedTicket: [{ identifier: '{price}' }] },
    ['/reservationFor/title'],
  ],
  [
    'post',
    '/api/v2/reservations/',
    { underName: { ...person, telephone: '1' }, reservedTicket: [{ identifier: '{price}', seat: 'A1' }], seat: 1 },
    ['/reservedTicket/0/seat', '/seat', '/underName/telephone'],
  ],
  [
    'post',
    '/api/v2/reservations/',
    { underName: person, reservedTicket: [{ identifier: '{price}', underName: { name: 'Ada' } }] },
    ['/reservedTicket/0/underName'],
  ],
  [
    'post',
    '/api/v2/reservations/',
    { underName: person, reservedTicket: [{ identifier: '{price}' }], additionalProperty: [{ name: 'note', value: 1 }] },
    ['/additionalProperty/0/name'],
  ],
  ['patch', '/api/v2/reservations/{reservation}/', { reservationStatus: 'ReservationConfirmed', note: 'x' }, ['/note']],
  [
    'post',
    '/api/v2/memberships/',
    { member: { ...person, age: 3 }, membershipPlan: '{offer}', paymentMode: 'FREE', colour: 1 },
    ['/colour', '/member/age'],
  ],
  ['patch', '/api/v2/memberships/{membership}/', { membershipStatus: 'cancelled', reason: 'x' }, ['/reason']],
  ['post', '/api/v2/webhook-endpoints/', { url: 'https://example.org/', types: ['*'], event_types: [] }, ['/event_types']],
  ['patch', '/api/v2/webhook-endpoints/{endpoint}/', { active: false }, ['/active']],
  ['post', '/api/v2/webhook-endpoints/{endpoint}/send-again/', { since: '2026-01-01T00:00:00Z', limit: 1 }, ['/limit']],
  ['post', '/api/v2/webhook-endpoints/{endpoint}/ping/', { type: 'x' }, ['/type']],
  ['post', '/api/v2/webhook-endpoints/{endpoint}/rotate-secret/', { secret: 'x' }, ['/secret']],
  ['delete', '/api/v2/postal-addresses/{address}/', { force: true }, ['/force']],
  ['post', '/api/products/', { name: 'A', categorie_article: 'B', price: 3 }, ['/price']],
  ['post', '/api/prices/', { product: '{product}', name: 'A', prix: 1, price: 3 }, ['/price']],
];
