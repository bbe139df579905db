// Shows the description with Swagger UI. What is tried out is sent with a token or as the signed-in user.
const viewer = document.getElementById("viewer");

SwaggerUIBundle({
  url: viewer.dataset.description,
  domNode: viewer,
  deepLinking: true,
  validatorUrl: "none", // no other site is told about ours
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = viewer.dataset.csrf;
    return request;
  },
});
