{{ part(application-census, role => 'counterparty') }}
