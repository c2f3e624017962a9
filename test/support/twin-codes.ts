import { api, type TwinRequest } from './twin-requests.js';

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
