{{ part(stock-now, by_location => false) }}
