// What everything that is written into a game has in common: orders, facts, rulings, take-backs.
#pragma once

#include "http/api/scene.h"
#include "replay/referee.h"

namespace wardiary {
class JsonReader;
}

namespace wardiary::http {

// Where it goes, on which version it was decided ("expectedVersion", or If-Match) and how a retry
// is known. Also the error of `in`, if it has one.
Result<OrderRequest> read_order_request(const Scene& scene, JsonReader& in);
// 200 with the versions written, 202 where dice are waited for, 409, 422.
Response answer_order(const OrderAnswer& answer);

}  // namespace wardiary::http
