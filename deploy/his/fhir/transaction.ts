import type {
  Bundle,
  ChargeItem,
  ChargeItemDefinition,
  CodeableConcept,
  Extension,
  FhirResource,
  Identifier,
  Reference,
  SupplyDelivery,
} from 'fhir/r4'
import { absolute, isNegative, negate, sum, type Decimal } from '#kernel/values/decimal.ts'
import { isDay } from '#kernel/values/date.ts'
import type { HisChargeOrder, HisReceiptKind, HisReceiptOrder, HisRefundOrder } from '#server/outbound/his/contract.ts'
import { extensions, systems } from '#server/outbound/his/fhir/profile.ts'
import { type Books, Refused } from '../books.ts'
import { chargeResource, deliveryResources, itemResource } from './resources.ts'

/**
 * Transactions that the stand-in takes: charges, refunds, deliveries and charge items, each resource created unless one
 * with its identifier exists (If-None-Exist). All of a bundle is booked, or none. Figures arrive as their digits
 * (`parseExact`), whatever the types of FHIR say.
 */
export function runTransaction(books: Books, bundle: Bundle): Bundle {
  const posted = (bundle.entry ?? [])
    .filter(entry => entry.request?.method === 'POST')
    .map(entry => entry.resource as FhirResource)
  if (bundle.resourceType !== 'Bundle' || bundle.type !== 'transaction' || posted.length === 0)
    throw new Refused('只接受transaction类型的Bundle')
  const [first] = posted
  const booked = first && writers[first.resourceType]?.(books, posted)
  if (!booked) throw new Refused(`不能写入${first?.resourceType}`)
  return {
    resourceType: 'Bundle',
    type: 'transaction-response',
    entry: booked.map(resource => ({
      resource,
      response: { status: '201 Created', location: `${resource.resourceType}/${resource.id}` },
    })),
  }
}

const writers: Readonly<Record<string, (books: Books, posted: FhirResource[]) => FhirResource[]>> = {
  ChargeItem: (books, posted) => {
    const items = posted as ChargeItem[]
    const booked = items.some(item => item.partOf?.length)
      ? books.refund(keyOf(items), refundOf(items))
      : books.charge(keyOf(items), chargeOf(items))
    return booked.map(chargeResource)
  },
  SupplyDelivery: (books, posted) => {
    const deliveries = posted as SupplyDelivery[]
    const [first] = deliveries
    const taken = first?.partOf?.[0]
    const receipt = taken
      ? books.reverse(keyOf(deliveries), {
          receipt_no: taken.identifier?.value ?? '',
          sn: valueOf(first, systems.sn) ?? '',
          reason: '',
        })
      : books.book(keyOf(deliveries), receiptOf(deliveries))
    return deliveryResources(receipt)
  },
  ChargeItemDefinition: (books, posted) =>
    posted.map(resource => {
      const item = resource as ChargeItemDefinition
      const price = item.propertyGroup?.[0]?.priceComponent?.[0]?.amount?.value
      return itemResource(
        books.publishItem(keyOf([item]), {
          specification_code: valueOf(item, systems.ours) ?? '',
          item_name: item.title ?? '',
          specification: textOf(item, extensions.specification) ?? '',
          unit: textOf(item, extensions.unit) ?? '',
          price: price === undefined ? null : String(price),
          manufacturer: item.publisher ?? null,
          insurance_code: codeOf(item.code, systems.insurance),
          udi_di: codeOf(item.code, systems.udi),
        }),
      )
    }),
}

type Identified = { identifier?: Identifier[] | undefined; extension?: Extension[] | undefined }
const valueOf = (resource: Identified, system: string): string | null =>
  resource.identifier?.find(each => each.system === system)?.value ?? null
const codeOf = (concept: CodeableConcept | undefined, system: string): string | null =>
  concept?.coding?.find(each => each.system === system)?.code ?? null
const extensionOf = (resource: object, url: string) =>
  (resource as Identified).extension?.find(each => each.url === url)
const textOf = (resource: object, url: string): string | null => extensionOf(resource, url)?.valueString ?? null
const decimalOf = (resource: object, url: string): Decimal => String(extensionOf(resource, url)?.valueDecimal ?? '0')
const numberIn = (reference: Reference | undefined): string => reference?.identifier?.value ?? ''
const exact = (value: unknown): Decimal => String(value ?? '0')

function keyOf(resources: readonly Identified[]): string {
  const keys = new Set(resources.map(resource => valueOf(resource, systems.request)))
  const [key] = keys
  if (keys.size !== 1 || !key) throw new Refused('一次只能提交一个请求')
  return key
}

const lineOf = (resource: Identified): number =>
  parseInt(valueOf(resource, systems.requestLine)?.split('#')[1] ?? '0', 10)

function chargeOf(items: readonly ChargeItem[]): HisChargeOrder {
  const first = items[0]!
  return {
    sn: valueOf(first, systems.sn) ?? '',
    patient_no: numberIn(first.subject),
    visit_no: numberIn(first.context),
    surgery_no: textOf(first, extensions.surgery),
    department_code: numberIn(first.performingOrganization) || null,
    staff_no: numberIn(first.enterer) || null,
    used_at: first.occurrenceDateTime ?? '',
    lines: items.map(item => ({
      line_no: lineOf(item),
      item_code: codeOf(item.code, systems.item) ?? '',
      quantity: exact(item.quantity?.value),
      price: exact(item.priceOverride?.value),
      amount: decimalOf(item, extensions.amount),
      unit_code: codeOf(item.productCodeableConcept, systems.unitCode),
      udi_di: codeOf(item.productCodeableConcept, systems.udi),
      lot_no: null,
    })),
  }
}

const refundOf = (items: readonly ChargeItem[]): HisRefundOrder => ({
  sn: valueOf(items[0]!, systems.sn) ?? '',
  reason: items[0]!.overrideReason ?? '',
  staff_no: numberIn(items[0]!.enterer) || null,
  lines: items.map(item => ({
    line_no: lineOf(item),
    charge_no: numberIn(item.partOf?.[0]),
    quantity: isNegative(exact(item.quantity?.value))
      ? negate(exact(item.quantity?.value))
      : absolute(exact(item.quantity?.value)),
  })),
})

function receiptOf(deliveries: readonly SupplyDelivery[]): HisReceiptOrder {
  const first = deliveries[0]!
  const lines = deliveries.map(delivery => {
    const goods = (delivery.contained?.[0] ?? {}) as {
      lotNumber?: string
      expirationDate?: string
      modelNumber?: string
      type?: CodeableConcept
    }
    const expiry = goods.expirationDate?.slice(0, 10)
    return {
      line_no: lineOf(delivery),
      material_code: codeOf(goods.type, systems.material) ?? '',
      item_name: goods.type?.text ?? null,
      specification: goods.modelNumber ?? null,
      lot_no: goods.lotNumber ?? null,
      expiry_date: isDay(expiry) ? expiry : null,
      quantity: exact(delivery.suppliedItem?.quantity?.value),
      price: decimalOf(delivery, extensions.price),
      amount: decimalOf(delivery, extensions.amount),
    }
  })
  return {
    receipt_kind: (codeOf(first.type, systems.receiptKind) ?? 'purchase') as HisReceiptKind,
    sn: valueOf(first, systems.sn) ?? '',
    supplier_code: numberIn(first.supplier) || null,
    supplier_name: textOf(first, extensions.supplierName),
    warehouse_code: numberIn(first.destination),
    department_code: numberIn(first.receiver?.[0]) || null,
    reviewed_at: first.occurrenceDateTime ?? '',
    amount: sum(
      lines.map(line => line.amount),
      2,
    ),
    lines,
  }
}
