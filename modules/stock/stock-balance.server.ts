import { today } from '#kernel/day.ts'
import { configFigure } from '#server/engine/config-value.ts'
import type { RecordRules } from '#server/engine/records/rules.ts'

export const stockBalanceRules: RecordRules = {
  kind: 'stockBalance',
  source: (tx, _session, parameters) =>
    parameters.consigned_out === '1'
      ? tx`(select * from stock_on_hand union all select * from stock_elsewhere)`
      : tx`stock_on_hand`,
  visible: (tx, _session, parameters) =>
    parameters.in_transit === '1' ? tx`true` : tx`t.warehouse_model <> 'transit'`,
  columns: (tx, session) => {
    return {
      owner_name: tx`${tx('to_owner_org_sn.name')}`,
      manufacturer_name: tx`(select o.name from organisation o where o.id = ${tx('to_product_sn.manufacturer_id')})`,
      available: tx`case when t.quality_state = 'qualified' and t.warehouse_id is not null then t.quantity - t.reserved else 0 end::numeric(18,3)`,
      days_left: tx`t.expiry_date - ${today()}::date`,
      expiry_state: tx`case when t.expiry_date is null then 'none' when t.expiry_date < ${today()} then 'expired' when t.expiry_date <= ${today()}::date + ${configFigure(tx, session.org.id, 'expiry_warning_days')} then 'near' else 'normal' end`,
      cost_price: tx`round(t.value / t.quantity, 4)`,
      value: tx`t.value`,
    }
  },
}
