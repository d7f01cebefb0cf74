{{ part(grant-census, role => 'counterparty') }}
