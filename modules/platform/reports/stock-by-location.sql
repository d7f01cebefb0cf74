{{ part(stock-now, by_location => true) }}
