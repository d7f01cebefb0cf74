{{ part(invoices, invoice_kind => 'inboundInvoice', handler => null) }}
