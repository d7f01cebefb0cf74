import type { Bundle, ChargeItem, ChargeItemDefinition, Device, FhirResource, SupplyDelivery } from 'fhir/r4'
import { negate } from '#kernel/values/decimal.ts'
import { exactNumber } from '#server/outbound/exact-json.ts'
import type {
  HisChargeOrder,
  HisChargeOrderLine,
  HisItemOrder,
  HisReceipt,
  HisReceiptLine,
  HisReceiptOrder,
  HisRefundOrder,
} from '#server/outbound/his/contract.ts'
import { byNumber, identifier, requestIdentifiers } from '#server/outbound/his/fhir/elements.ts'
import { extensions, systems } from '#server/outbound/his/fhir/profile.ts'

/** Orders of the contract as transactions of FHIR R4: every line is created unless one of its key and number exists. */

type Created = { readonly resource: FhirResource; readonly unless: string }

const transaction = (created: readonly Created[]): Bundle => ({
  resourceType: 'Bundle',
  type: 'transaction',
  entry: created.map(({ resource, unless }) => ({
    resource,
    request: {
      method: 'POST',
      url: resource.resourceType,
      ifNoneExist: `identifier=${systems.requestLine}|${encodeURIComponent(unless)}`,
    },
  })),
})
const unlessSent = (key: string, line: number, resource: FhirResource): Created => ({
  resource,
  unless: `${key}#${line}`,
})

const said = (url: string, value: string | null) => (value === null ? [] : [{ url, valueString: value }])

export const chargeBundle = (key: string, order: HisChargeOrder): Bundle =>
  transaction(order.lines.map(line => unlessSent(key, line.line_no, chargeItem(key, order, line))))

function chargeItem(key: string, order: HisChargeOrder, line: HisChargeOrderLine): ChargeItem {
  const goods = [
    ...(line.unit_code === null ? [] : [{ system: systems.unitCode, code: line.unit_code }]),
    ...(line.udi_di === null ? [] : [{ system: systems.udi, code: line.udi_di }]),
  ]
  return {
    resourceType: 'ChargeItem',
    identifier: [...requestIdentifiers(key, line.line_no), identifier(systems.sn, order.sn)],
    extension: [
      { url: extensions.amount, valueDecimal: exactNumber(line.amount) },
      ...said(extensions.surgery, order.surgery_no),
    ],
    status: 'billable',
    code: { coding: [{ system: systems.item, code: line.item_code }] },
    subject: byNumber(systems.patientNo, order.patient_no),
    context: byNumber(systems.visitNo, order.visit_no),
    occurrenceDateTime: order.used_at,
    ...(order.department_code === null
      ? {}
      : { performingOrganization: byNumber(systems.department, order.department_code) }),
    ...(order.staff_no === null ? {} : { enterer: byNumber(systems.staffNo, order.staff_no) }),
    quantity: { value: exactNumber(line.quantity) },
    priceOverride: { value: exactNumber(line.price), currency: 'CNY' },
    ...(goods.length === 0 ? {} : { productCodeableConcept: { coding: goods } }),
    ...(line.lot_no === null ? {} : { note: [{ text: line.lot_no }] }),
  }
}

/** A refund is a charge with its quantity below zero, a part of the one that it gives back. */
export const refundBundle = (key: string, order: HisRefundOrder): Bundle =>
  transaction(
    order.lines.map(({ line_no: line, charge_no: charge, quantity }) =>
      unlessSent(key, line, {
        resourceType: 'ChargeItem',
        identifier: [...requestIdentifiers(key, line), identifier(systems.sn, order.sn)],
        status: 'billable',
        partOf: [byNumber(systems.chargeNo, charge)],
        // The HIS finds the patient by the charge that is given back.
        code: { text: '退费' },
        subject: byNumber(systems.chargeNo, charge),
        overrideReason: order.reason,
        ...(order.staff_no === null ? {} : { enterer: byNumber(systems.staffNo, order.staff_no) }),
        quantity: { value: exactNumber(negate(quantity)) },
      } satisfies ChargeItem),
    ),
  )

export const receiptBundle = (key: string, order: HisReceiptOrder): Bundle =>
  transaction(order.lines.map(line => unlessSent(key, line.line_no, delivery(key, order, line))))

const delivery = (key: string, order: HisReceiptOrder, line: HisReceiptLine): SupplyDelivery => ({
  resourceType: 'SupplyDelivery',
  identifier: [...requestIdentifiers(key, line.line_no), identifier(systems.sn, order.sn)],
  extension: [...figuresOf(line), ...said(extensions.supplierName, order.supplier_name)],
  status: 'completed',
  type: { coding: [{ system: systems.receiptKind, code: order.receipt_kind }] },
  occurrenceDateTime: order.reviewed_at,
  contained: [goodsOf(line)],
  suppliedItem: { quantity: { value: exactNumber(line.quantity) }, itemReference: { reference: '#goods' } },
  ...(order.supplier_code === null ? {} : { supplier: byNumber(systems.supplier, order.supplier_code) }),
  destination: byNumber(systems.warehouse, order.warehouse_code),
  ...(order.department_code === null ? {} : { receiver: [byNumber(systems.department, order.department_code)] }),
})

const figuresOf = (line: HisReceiptLine) => [
  { url: extensions.price, valueDecimal: exactNumber(line.price) },
  { url: extensions.amount, valueDecimal: exactNumber(line.amount) },
  { url: extensions.line, valueInteger: line.line_no },
]

const goodsOf = (line: HisReceiptLine): Device => ({
  resourceType: 'Device',
  id: 'goods',
  ...(line.lot_no === null ? {} : { lotNumber: line.lot_no }),
  ...(line.expiry_date === null ? {} : { expirationDate: line.expiry_date }),
  ...(line.specification === null ? {} : { modelNumber: line.specification }),
  type: {
    ...(line.item_name === null ? {} : { text: line.item_name }),
    coding: [{ system: systems.material, code: line.material_code }],
  },
})

/** A reversal is the same deliveries with their quantities below zero, each a part of the receipt it takes back. */
export const reversalBundle = (key: string, sn: string, receipt: HisReceipt): Bundle =>
  transaction(
    receipt.lines.map(line =>
      unlessSent(key, line.line_no, {
        resourceType: 'SupplyDelivery',
        identifier: [...requestIdentifiers(key, line.line_no), identifier(systems.sn, sn)],
        extension: figuresOf({ ...line, amount: negate(line.amount) }),
        status: 'completed',
        partOf: [byNumber(systems.receiptNo, receipt.receipt_no)],
        type: { coding: [{ system: systems.receiptKind, code: receipt.receipt_kind }] },
        contained: [goodsOf(line)],
        suppliedItem: {
          quantity: { value: exactNumber(negate(line.quantity)) },
          itemReference: { reference: '#goods' },
        },
      } satisfies SupplyDelivery),
    ),
  )

export const itemBundle = (key: string, order: HisItemOrder): Bundle =>
  transaction([unlessSent(key, 1, itemDefinition(key, order))])

const itemDefinition = (key: string, order: HisItemOrder): ChargeItemDefinition => ({
  resourceType: 'ChargeItemDefinition',
  url: `${systems.ours}:${order.specification_code}`,
  identifier: [...requestIdentifiers(key, 1), identifier(systems.ours, order.specification_code)],
  status: 'active',
  title: order.item_name,
  extension: [...said(extensions.unit, order.unit), ...said(extensions.specification, order.specification)],
  ...(order.manufacturer === null ? {} : { publisher: order.manufacturer }),
  code: {
    coding: [
      ...(order.insurance_code === null ? [] : [{ system: systems.insurance, code: order.insurance_code }]),
      ...(order.udi_di === null ? [] : [{ system: systems.udi, code: order.udi_di }]),
    ],
  },
  ...(order.price === null
    ? {}
    : {
        propertyGroup: [
          { priceComponent: [{ type: 'base', amount: { value: exactNumber(order.price), currency: 'CNY' } }] },
        ],
      }),
})
