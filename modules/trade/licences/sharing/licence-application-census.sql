{{ part(application-census, role => 'own') }}
