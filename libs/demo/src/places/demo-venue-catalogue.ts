import type { DemoProduct } from '../basics/demo-tenant.js';

/** Products of the venue. 5.5 % is the French VAT rate for tickets to live shows. */
export const venueProducts: readonly DemoProduct[] = [
  {
    name: 'Membership',
    category: 'A',
    shortDescription: 'Carries the house, opens the member price and the members’ evenings.',
    prices: [
      {
        name: 'Yearly',
        amount: '20.00',
        subscriptionType: 'Y',
        maxPerUser: 1,
        shortDescription: 'Twelve months from the day you join.',
      },
      {
        name: 'Monthly',
        amount: '2.50',
        subscriptionType: 'M',
        maxPerUser: 1,
        shortDescription: 'Renewed each month until you stop it.',
      },
    ],
  },
  {
    name: 'Concert ticket',
    category: 'B',
    shortDescription: 'Free seating, standing at the front.',
    prices: [
      { name: 'Full price', amount: '18.00', vat: '5.5', share: 11 },
      {
        name: 'Reduced',
        amount: '12.00',
        vat: '5.5',
        share: 6,
        shortDescription: 'Under 26, students, job seekers, over 65.',
      },
      { name: 'Members', amount: '14.00', vat: '5.5', share: 4, maxPerUser: 2, membersOnly: true },
    ],
  },
  {
    name: 'Members’ entry',
    category: 'B',
    prices: [
      { name: 'Member', amount: '4.00', vat: '5.5', share: 3, maxPerUser: 1, membersOnly: true },
      { name: 'Guest of a member', amount: '8.00', vat: '5.5', share: 1, maxPerUser: 1, membersOnly: true },
    ],
  },
  {
    name: 'Two-night pass',
    category: 'B',
    shortDescription: 'Both nights of Small Hours, come and go as you like.',
    prices: [
      { name: 'Full pass', amount: '32.00', vat: '5.5', share: 7 },
      {
        name: 'Reduced pass',
        amount: '22.00',
        vat: '5.5',
        share: 3,
        shortDescription: 'Under 26, students, job seekers, over 65.',
      },
    ],
  },
  {
    name: 'Members’ pass',
    category: 'B',
    shortDescription: 'Both nights, for members.',
    prices: [{ name: 'Member', amount: '20.00', vat: '5.5', share: 2, maxPerUser: 2, membersOnly: true }],
  },
  {
    name: 'Day ticket',
    category: 'B',
    prices: [
      { name: 'Day ticket', amount: '8.00', vat: '5.5', share: 3 },
      { name: 'Reduced day ticket', amount: '5.00', vat: '5.5', share: 1 },
    ],
  },
  {
    name: 'Workshop place',
    category: 'B',
    shortDescription: 'Tools, materials and tea included.',
    prices: [
      { name: 'Workshop', amount: '25.00', vat: 'VG', share: 3, stock: 24, maxPerUser: 4 },
      { name: 'Pass for all dates', amount: '20.00', vat: 'VG', stock: 24, maxPerUser: 2, wholeSeries: true },
      { name: 'Pass for 3 dates of your choice', amount: '22.00', vat: 'VG', stock: 24, maxPerUser: 2, wholeSeries: true, passDates: 3 },
      {
        name: 'Workshop, solidarity',
        amount: '12.00',
        vat: 'VG',
        share: 1,
        stock: 8,
        maxPerUser: 2,
        shortDescription: 'No questions asked.',
      },
    ],
  },
  {
    name: 'Canteen lunch',
    category: 'B',
    prices: [
      { name: 'Soup, bread, cheese', amount: '11.50', vat: 'DX', share: 3 },
      { name: 'Small bowl', amount: '6.50', vat: 'DX', share: 1, shortDescription: 'Up to twelve years.' },
    ],
  },
  {
    name: 'Nocturne',
    category: 'B',
    prices: [
      { name: 'Full', amount: '16.00', vat: '5.5', share: 2, opens: [3, '10:00'] },
      { name: 'With your own bell', amount: '9.00', vat: '5.5', share: 1, opens: [3, '10:00'] },
    ],
  },
  {
    name: 'Free entry',
    category: 'F',
    shortDescription: 'Costs nothing; booking keeps you a chair.',
    prices: [{ name: 'Free', amount: '0.00', share: 1, maxPerUser: 6 }],
  },
  {
    name: 'Night-out pack',
    category: 'P',
    shortDescription: 'A concert ticket, a tote bag and the first drink.',
    prices: [{ name: 'Pack', amount: '29.00', vat: 'VG', stock: 40, maxPerUser: 4 }],
  },
  {
    name: 'Tote bag',
    category: 'M',
    shortDescription: 'Unbleached cotton with the heron in one colour. Holds records up to twelve inches.',
    prices: [
      { name: 'Tote bag', amount: '14.00', vat: 'VG', stock: 60, maxPerUser: 5 },
      { name: 'Members', amount: '10.00', vat: 'VG', stock: 60, maxPerUser: 2, membersOnly: true },
    ],
  },
  {
    name: 'Forty Winters of Tin',
    category: 'M',
    shortDescription: 'The book about the house: 144 pages of photographs, set lists and soup.',
    prices: [{ name: 'Paperback', amount: '24.00', vat: '5.5', stock: 45, maxPerUser: 5 }],
  },
  {
    name: 'Heron T-shirt',
    category: 'T',
    shortDescription: 'Organic cotton, printed upstairs in two colours.',
    prices: [
      { name: 'Size S', amount: '22.00', vat: 'VG', stock: 12, maxPerUser: 5 },
      { name: 'Size M', amount: '22.00', vat: 'VG', stock: 31, maxPerUser: 5 },
      { name: 'Size L', amount: '22.00', vat: 'VG', stock: 18, maxPerUser: 5 },
      { name: 'Size XL', amount: '22.00', vat: 'VG', stock: 0, maxPerUser: 5 },
    ],
  },
  {
    name: 'Screen print',
    category: 'M',
    shortDescription: 'The season’s poster, numbered and signed by the workshop.',
    prices: [{ name: 'Print, 50 × 70 cm', amount: '35.00', vat: 'VG', stock: 50, maxPerUser: 2 }],
  },
  {
    name: 'Cashless top-up',
    category: 'R',
    shortDescription: 'For the bar and the canteen; what is left is paid back.',
    prices: [
      { name: '10 euros', amount: '10.00' },
      { name: '20 euros', amount: '20.00' },
      { name: '50 euros', amount: '50.00' },
    ],
  },
  {
    name: 'Season ticket',
    category: 'A',
    published: false,
    shortDescription: 'Every concert of the next season. Not on sale yet.',
    prices: [{ name: 'Season', amount: '150.00', vat: '5.5', stock: 80, maxPerUser: 2, published: false }],
  },
];
