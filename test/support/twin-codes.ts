import { api, type TwinRequest } from './twin-requests.js';

/** Ids of a code, of a discount without one, of a gift card, and of a customer. */
export interface TwinDiscounts {
  readonly discount: string;
  readonly reduction: string;
  readonly voucher: string;
  readonly customer: string;
}

/** Makes them. @param make sends a body to a path of the API, and returns the id of what it made */
export const makeDiscounts = async (make: (path: string, body: object) => Promise<string>): Promise<TwinDiscounts> => ({
  discount: await make('/api/v2/codes/', { code: 'TWINS-20', effect: 'percent', value: 20 }),
  reduction: await make('/api/v2/discounts/', { name: 'Twins', kind: 'quantity', value: 20, least: 50 }),
  voucher: await make('/api/v2/giftCards/', { amount: 20, note: 'Twins' }),
  customer: await make('/api/v2/customers/', { name: 'Twins' }),
});

/** Ids that no tenant has. */
export const unknownDiscounts = (id: () => string): TwinDiscounts => ({
  discount: id(),
  reduction: id(),
  voucher: id(),
  customer: id(),
});

/** The routes of discount codes, as in `twinRows`. */
export const codeRows: Readonly<Record<string, readonly TwinRequest[]>> = {
  'SemanticCodesController.list': [api('get', '/api/v2/codes/'), api('get', '/api/v2/codes/?code=TWINS-20')],
  'SemanticCodesController.create': [api('post', '/api/v2/codes/', { code: 'OURS-20', offers: ['{offer}'] })],
  'SemanticCodesController.get': [api('get', '/api/v2/codes/{discount}/')],
  'SemanticCodesController.change': [api('patch', '/api/v2/codes/{discount}/', { disabled: true })],
  'SemanticDiscountsController.list': [api('get', '/api/v2/discounts/')],
  'SemanticDiscountsController.create': [
    api('post', '/api/v2/discounts/', { name: 'Ours', kind: 'quantity', value: 20, least: 2, offers: ['{offer}'] }),
  ],
  'SemanticDiscountsController.get': [api('get', '/api/v2/discounts/{reduction}/')],
  'SemanticDiscountsController.change': [api('patch', '/api/v2/discounts/{reduction}/', { disabled: true })],
  'SemanticGiftCardsController.list': [api('get', '/api/v2/giftCards/')],
  'SemanticGiftCardsController.issue': [],
  'SemanticGiftCardsController.get': [api('get', '/api/v2/giftCards/{voucher}/')],
  'SemanticGiftCardsController.change': [api('patch', '/api/v2/giftCards/{voucher}/', { blocked: true, note: 'Ours' })],
  'SemanticCampaignsController.list': [api('get', '/api/v2/campaigns/')],
  'SemanticCampaignsController.create': [],
  'SemanticCampaignsController.get': [api('get', '/api/v2/campaigns/{campaign}/')],
  'SemanticCampaignsController.change': [api('patch', '/api/v2/campaigns/{campaign}/', { published: false })],
  'SemanticCustomersController.list': [api('get', '/api/v2/customers/')],
  'SemanticCustomersController.create': [],
  'SemanticCustomersController.get': [api('get', '/api/v2/customers/{customer}/')],
  'SemanticCustomersController.change': [api('patch', '/api/v2/customers/{customer}/', { disabled: true })],
  'OrderController.useCode': [{ method: 'post', path: '/order/{orderLink}/discount', body: { code: 'TWINS-20' } }],
  'CartController.useCode': [{ method: 'post', path: '/cart/{cartLink}/discount', body: { code: 'TWINS-20' } }],
};
