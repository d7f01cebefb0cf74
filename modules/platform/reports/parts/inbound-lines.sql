-- Goods that came in at a price, as far as the parameters ask for them.
{{ part(received-lines) }},
{{ part(classed, class => :finance_class_sn) }},
{{ part(finance-class) }},
chosen as (
  select
    x.*,
    fc.name as finance_class,
    {{ goods_columns(specification_name, unit_name, product_code, product_name, manufacturer_name) }}
  from
    priced x {{ goods(x.specification_id) }}
    left join finance_class fc on fc.specification_id = x.specification_id
    and {{ day_of(x.at) }} between fc.valid_from and fc.valid_to
  where
    {{ narrowed(x, counterparty_sn, warehouse_model_inner_sn, document_kind, document_sn) }}
    and {{ asked_goods(x.specification_id) }}
    and {{ narrowed(x, invoice_state, invoice_no) }}
    and (
      :with_others is true
      or x.owes
    )
    and (
      :ownership is null
      or (:ownership = 'consigned') = ({{ feeds(x.kind, titled) }})
    )
    and {{ of_class_at(:finance_class_sn, x.specification_id, x.at) }}
)
