import { api, type TwinRequest } from './twin-requests.js';

/** Ids of a code, and of a discount without one. */
export interface TwinDiscounts {
  readonly discount: string;
  readonly reduction: string;
}

/** Makes both. @param make sends a body to a path of the API, and returns the id of what it made */
export const makeDiscounts = async (make: (path: string, body: object) => Promise<string>): Promise<TwinDiscounts> => ({
  discount: await make('/api/v2/codes/', { code: 'TWINS-20', effect: 'percent', value: 20 }),
  reduction: await make('/api/v2/discounts/', { name: 'Twins', kind: 'quantity', value: 20, least: 50 }),
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
  'OrderController.useCode': [{ method: 'post', path: '/order/{orderLink}/discount', body: { code: 'TWINS-20' } }],
  'CartController.useCode': [{ method: 'post', path: '/cart/{cartLink}/discount', body: { code: 'TWINS-20' } }],
};
