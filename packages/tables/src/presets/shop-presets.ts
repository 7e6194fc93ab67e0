// Exports of shops and payment services: Shopify, WooCommerce, Stripe, PayPal. Their orders and payments are deals.

import { type Preset, preset } from './preset.ts';

export const SHOP_PRESETS: readonly Preset[] = [
  preset(
    'Shopify',
    'contacts',
    {
      ...{
        sourceId: 'Customer ID',
        firstName: 'First Name',
        lastName: 'Last Name',
        email: 'Email',
      },
      ...{ phone: ['Phone', 'Default Address Phone'], company: 'Default Address Company' },
      ...{ street: 'Default Address Address1', city: 'Default Address City', description: 'Note' },
      ...{ postalCode: 'Default Address Zip', country: 'Default Address Country Code' },
      region: 'Default Address Province Code',
    },
    [
      ...['Accepts Email Marketing', 'Accepts SMS Marketing', 'Default Address Address2'],
      ...['Total Spent', 'Total Orders', 'Tax Exempt', 'Tags'],
    ],
  ),
  preset(
    'Shopify',
    'deals',
    {
      ...{ sourceId: 'Id', name: 'Name', status: 'Financial Status', amount: 'Total' },
      ...{ createdAt: 'Created at', source: 'Source', description: 'Notes' },
      contact: 'Billing Name',
    },
    [
      ...[
        'Email',
        'Paid at',
        'Fulfillment Status',
        'Fulfilled at',
        'Accepts Marketing',
        'Currency',
      ],
      ...['Subtotal', 'Shipping', 'Taxes', 'Discount Code', 'Discount Amount', 'Shipping Method'],
      ...['Lineitem quantity', 'Lineitem name', 'Lineitem price', 'Lineitem sku', 'Vendor'],
      ...['Billing Street', 'Billing City', 'Billing Zip', 'Billing Country', 'Shipping Name'],
    ],
  ),
  preset(
    'WooCommerce',
    'products',
    {
      ...{ sourceId: 'ID', name: 'Name', type: 'Type', amount: 'Regular price' },
      description: ['Description', 'Short description'],
    },
    [
      ...['SKU', 'Published', 'Is featured?', 'Visibility in catalog', 'Sale price', 'Tax status'],
      ...['Tax class', 'In stock?', 'Stock', 'Categories', 'Tags', 'Images', 'Backorders allowed?'],
    ],
  ),
  preset(
    'Stripe',
    'contacts',
    {
      ...{ sourceId: 'id', email: 'Email', name: 'Name', description: 'Description' },
      createdAt: 'Created (UTC)',
    },
    [
      ...['Delinquent', 'Card ID', 'Card Last4', 'Card Brand', 'Currency', 'Plan', 'Status'],
      ...['Total Spend', 'Payment Count', 'Average Order', 'Refunded Volume', 'Dispute Losses'],
    ],
  ),
  preset(
    'Stripe',
    'deals',
    {
      ...{ sourceId: 'id', createdAt: 'Created date (UTC)', amount: 'Amount', status: 'Status' },
      description: 'Description',
    },
    [
      ...[
        'Amount Refunded',
        'Currency',
        'Captured',
        'Converted Amount',
        'Converted Currency',
        'Fee',
      ],
      ...['Customer ID', 'Customer Email', 'Customer Description', 'Card ID', 'Invoice ID', 'Mode'],
      ...['Refunded date (UTC)', 'Statement Descriptor', 'Seller Message', 'Taxes On Fee'],
    ],
  ),
  preset(
    'PayPal',
    'deals',
    {
      ...{ sourceId: 'Transaction ID', name: 'Name', type: 'Type', status: 'Status' },
      ...{ amount: 'Gross', description: ['Subject', 'Item Title'] },
    },
    [
      ...['Date', 'Time', 'TimeZone', 'Currency', 'Fee', 'Net', 'From Email Address'],
      ...['To Email Address', 'Shipping Address', 'Balance', 'Invoice Number', 'Receipt ID'],
    ],
  ),
];
