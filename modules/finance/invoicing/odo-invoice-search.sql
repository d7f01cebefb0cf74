{{ part(invoiced-lines, invoice_kind => 'outboundInvoice', handler => :handler_inner_sn) }}
