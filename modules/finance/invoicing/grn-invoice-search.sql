{{ part(invoiced-lines, invoice_kind => 'inboundInvoice', handler => null) }}
