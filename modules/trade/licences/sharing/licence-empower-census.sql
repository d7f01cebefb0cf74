{{ part(grant-census, role => 'own') }}
