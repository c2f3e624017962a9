import type { DemoProduct } from '../basics/demo-tenant.js';

/** Products of the festival. */
export const festivalProducts: readonly DemoProduct[] = [
  {
    name: 'Adhésion à l’association',
    category: 'A',
    shortDescription: 'Soutient le festival et ouvre le tarif adhérent.',
    prices: [
      { name: 'Annuelle', amount: '15.00', subscriptionType: 'Y', maxPerUser: 1 },
      { name: 'Mensuelle', amount: '2.00', subscriptionType: 'M', maxPerUser: 1, shortDescription: 'Sans engagement.' },
    ],
  },
  {
    name: 'Billet une nuit',
    category: 'B',
    shortDescription: 'Placement libre, danse aussi.',
    prices: [
      { name: 'Plein tarif', amount: '24.00', vat: '5.5', share: 6 },
      {
        name: 'Tarif réduit',
        amount: '16.00',
        vat: '5.5',
        share: 3,
        shortDescription: 'Moins de 26 ans, étudiants, demandeurs d’emploi.',
      },
      { name: 'Adhérent', amount: '18.00', vat: '5.5', share: 2, maxPerUser: 2, membersOnly: true },
    ],
  },
  {
    name: 'Pass trois nuits',
    category: 'B',
    shortDescription: 'Les trois nuits et la navette.',
    prices: [
      { name: 'Pass plein', amount: '54.00', vat: '5.5', share: 3, stock: 300 },
      { name: 'Pass réduit', amount: '39.00', vat: '5.5', share: 1, stock: 150 },
    ],
  },
  {
    name: 'Soirée à la chapelle',
    category: 'B',
    prices: [
      { name: 'Chapelle', amount: '12.00', vat: '5.5', share: 3 },
      { name: 'Chapelle, tarif réduit', amount: '8.00', vat: '5.5', share: 1 },
    ],
  },
  {
    name: 'Entrée libre',
    category: 'F',
    shortDescription: 'Gratuit, sur réservation.',
    prices: [{ name: 'Gratuit', amount: '0.00', share: 1, maxPerUser: 6 }],
  },
  {
    name: 'Pack guinguette',
    category: 'P',
    shortDescription: 'Un billet, un gobelet consigné, une assiette de la prairie.',
    prices: [{ name: 'Pack', amount: '36.00', vat: 'DX', stock: 60, maxPerUser: 4 }],
  },
  {
    name: 'T-shirt Luciole',
    category: 'T',
    shortDescription: 'Encre phosphorescente, coton biologique.',
    prices: [
      { name: 'Enfant', amount: '15.00', vat: 'VG', stock: 40, maxPerUser: 5 },
      { name: 'Adulte', amount: '20.00', vat: 'VG', stock: 85, maxPerUser: 5 },
    ],
  },
  {
    name: 'Lampion pliant',
    category: 'M',
    prices: [{ name: 'Lampion', amount: '6.00', vat: 'VG', stock: 200 }],
  },
  {
    name: 'Recharge cashless',
    category: 'R',
    shortDescription: 'Le solde est remboursé jusqu’à un mois après le festival.',
    prices: [
      { name: '10 euros', amount: '10.00' },
      { name: '20 euros', amount: '20.00' },
      { name: '50 euros', amount: '50.00' },
    ],
  },
];
